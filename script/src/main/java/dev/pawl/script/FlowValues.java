package dev.pawl.script;

import dev.pawl.command.Meaning;
import dev.pawl.gate.Budget;
import dev.pawl.job.Handling;
import dev.pawl.key.Names;
import dev.pawl.retry.Retry;
import dev.pawl.script.Flow.Command;
import dev.pawl.time.Durations;
import dev.pawl.yaml.Nearest;
import dev.pawl.yaml.Problem;
import dev.pawl.yaml.ValuePath;
import dev.pawl.yaml.Yaml;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the values that a flow's words have: durations, commands, exit codes, budgets. What is wrong with one is a problem, and reading goes on. */
final class FlowValues {
    private static final Duration LONGEST = Duration.ofDays(3_650);

    private final List<Problem> problems;

    FlowValues(List<Problem> problems) {
        this.problems = problems;
    }

    @Nullable
    Command command(Yaml.Mapping one, @Nullable Yaml value, String word) {
        if (value == null) {
            problems.add(one.at().problem("a step says what it runs: " + word + ": ./command.sh"));
            return null;
        }
        if (value instanceof Yaml.Scalar text && !text.text().isBlank()) {
            return shell(text, word);
        }
        if (value instanceof Yaml.Listing list && !list.items().isEmpty()) {
            return arguments(list);
        }
        problems.add(value.at().problem(word + ": is a shell string, or a list of a program and its arguments"));
        return null;
    }

    Command shell(Yaml.Scalar text, String word) {
        var hole = Template.holeIn(text.text());
        if (hole != null) {
            problems.add(text.at()
                    .problem("a shell string is not filled in: " + hole
                            + " would be read by the shell, whatever it holds. Write a list, " + word
                            + ": [PROGRAM, \"" + hole + "\"], or give it as env: {NAME: \"" + hole
                            + "\"} and use \"$NAME\""));
        }
        return new Command.Shell(text.text());
    }

    Command arguments(Yaml.Listing list) {
        var arguments = new ArrayList<Template>();
        for (var item : list.items()) {
            if (item instanceof Yaml.Scalar text) {
                arguments.add(Template.of(text, problems));
            } else {
                problems.add(item.at().problem("an argument is a text"));
            }
        }
        return new Command.Arguments(arguments);
    }

    Map<String, Template> environment(@Nullable Yaml value) {
        var environment = new LinkedHashMap<String, Template>();
        members(value, "env: is a mapping of names to texts").forEach((name, text) -> {
            if (text instanceof Yaml.Scalar scalar && name.text().matches("[A-Za-z_][A-Za-z0-9_]*")) {
                environment.put(name.text(), Template.of(scalar, problems));
            } else {
                problems.add(name.at().problem("env: is a mapping of names to texts"));
            }
        });
        return environment;
    }

    Map<Integer, Meaning> exits(@Nullable Yaml value) {
        var exits = new LinkedHashMap<Integer, Meaning>();
        members(value, "exit: is a mapping of codes to meanings, as in {1: transient}")
                .forEach((code, meaning) -> {
                    try {
                        var number = Integer.parseInt(code.text());
                        if (number < 1 || number > 255 || !(meaning instanceof Yaml.Scalar word)) {
                            throw new IllegalArgumentException("exit: is a mapping of codes 1 to 255 to meanings");
                        }
                        exits.put(number, Meaning.named(word.text()));
                    } catch (NumberFormatException e) {
                        problems.add(code.at().problem("\"" + code.text() + "\" is no exit code"));
                    } catch (IllegalArgumentException e) {
                        problems.add(meaning.at().problem(String.valueOf(e.getMessage())));
                    }
                });
        return exits;
    }

    Retry retry(@Nullable Yaml value) {
        var retry = Retry.OF_COMMANDS;
        for (var member :
                members(value, "retry: is {attempts: 5, backoff: 30s..10m}").entrySet()) {
            var name = member.getKey();
            switch (name.text()) {
                case "attempts" ->
                    retry = retry.attempts(number(member.getValue(), Retry.OF_COMMANDS.attempts(), 1, 1_000));
                case "backoff" -> retry = backoff(retry, member.getValue());
                default ->
                    problems.add(name.at()
                            .problem("retry has no \"" + name.text() + "\""
                                    + Nearest.hint(name.text(), List.of("attempts", "backoff"))));
            }
        }
        return retry;
    }

    Retry backoff(Retry retry, Yaml value) {
        var ends = value instanceof Yaml.Scalar text ? text.text().split("\\.\\.", -1) : new String[0];
        try {
            return retry.backoff(Durations.parse(ends[0]), Durations.parse(ends[1]));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            problems.add(value.at().problem("a backoff is written 30s..10m"));
            return retry;
        }
    }

    /** How often one step is tried; its backoff is the flow's. */
    @Nullable
    Integer attempts(@Nullable Yaml value) {
        @Nullable Integer attempts = null;
        for (var member : members(value, "retry: of a step is {attempts: 5}").entrySet()) {
            if (member.getKey().text().equals("attempts")) {
                attempts = number(member.getValue(), 1, 1, 1_000);
            } else {
                problems.add(
                        member.getKey().at().problem("retry: of a step is {attempts: 5}; the backoff is the flow's"));
            }
        }
        return attempts;
    }

    List<Budget> budgets(@Nullable Yaml value) {
        var budgets = new ArrayList<Budget>();
        members(value, "budget: is {job: 0.50USD, workflow: 20USD}").forEach((per, amount) -> {
            var limit = limit(amount);
            if (limit == null) {
                return;
            }
            switch (per.text()) {
                case "job" -> budgets.add(Budget.perJob(limit));
                case "workflow" -> budgets.add(Budget.perWorkflow(limit));
                default ->
                    problems.add(per.at()
                            .problem("a budget is per job or workflow"
                                    + Nearest.hint(per.text(), List.of("job", "workflow"))));
            }
        });
        return budgets;
    }

    Budget.@Nullable Limit limit(Yaml value) {
        var text = value instanceof Yaml.Scalar scalar ? scalar.text().strip() : "";
        try {
            if (text.endsWith("USD")) {
                return Budget.usd(text.substring(0, text.length() - 3).strip());
            }
            if (text.endsWith("tokens")) {
                return Budget.tokens(
                        Long.parseLong(text.substring(0, text.length() - 6).strip()));
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        problems.add(value.at().problem("an amount is written 0.50USD or 100000 tokens"));
        return null;
    }

    String version(@Nullable Yaml value) {
        return checked(value, "", text -> Names.check("version", text));
    }

    List<String> versions(@Nullable Yaml value) {
        var versions = texts(value);
        try {
            versions.forEach(version -> Names.check("version", version));
        } catch (IllegalArgumentException e) {
            problems.add(Objects.requireNonNull(value).at().problem("runs: " + e.getMessage()));
            return List.of();
        }
        return versions;
    }

    String principal(@Nullable Yaml value) {
        return checked(value, "", Handling::checkPrincipal);
    }

    @Nullable
    String name(Yaml.Mapping of, String what, @Nullable Yaml value) {
        if (!(value instanceof Yaml.Scalar scalar) || scalar.empty()) {
            problems.add((value == null ? of : value).at().problem(what + ": has a name"));
            return null;
        }
        return checked(value, null, text -> own(Names.check(what, text)));
    }

    private static String own(String name) {
        if (name.startsWith(FlowCode.OURS)) {
            throw new IllegalArgumentException("a name that begins with " + FlowCode.OURS + " is none of yours");
        }
        return name;
    }

    /** The text, checked by something that throws with a sentence. */
    <T extends @Nullable String> T checked(@Nullable Yaml value, T otherwise, Function<String, T> check) {
        if (!(value instanceof Yaml.Scalar scalar)) {
            if (value != null) {
                problems.add(value.at().problem("this is a text"));
            }
            return otherwise;
        }
        try {
            return check.apply(scalar.text());
        } catch (IllegalArgumentException e) {
            problems.add(scalar.at().problem(String.valueOf(e.getMessage())));
            return otherwise;
        }
    }

    Duration duration(@Nullable Yaml value, Duration otherwise) {
        return duration(value, otherwise, LONGEST);
    }

    /** The same of what lasts at most {@code longest}. */
    Duration duration(@Nullable Yaml value, Duration otherwise, Duration longest) {
        if (value == null) {
            return otherwise;
        }
        try {
            var read = Durations.parse(value instanceof Yaml.Scalar scalar ? scalar.text() : "");
            if (!read.isZero() && read.compareTo(longest) <= 0) {
                return read;
            }
            problems.add(value.at()
                    .problem(read.isZero() ? "this is no time at all" : "at most " + Durations.text(longest)));
        } catch (IllegalArgumentException e) {
            problems.add(value.at().problem(String.valueOf(e.getMessage())));
        }
        return otherwise;
    }

    int number(@Nullable Yaml value, int otherwise, int least, int most) {
        if (value == null) {
            return otherwise;
        }
        try {
            var read = Integer.parseInt(value instanceof Yaml.Scalar scalar ? scalar.text() : "");
            if (read >= least && read <= most) {
                return read;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        problems.add(value.at().problem("this is a number from " + least + " to " + most));
        return otherwise;
    }

    Map<Yaml.Scalar, Yaml> members(@Nullable Yaml value, String form) {
        if (value == null) {
            return Map.of();
        }
        if (value instanceof Yaml.Mapping map) {
            return map.members();
        }
        problems.add(value.at().problem(form));
        return Map.of();
    }

    /** One text, or a list of them. */
    List<String> texts(@Nullable Yaml value) {
        if (value == null) {
            return List.of();
        }
        return switch (value) {
            case Yaml.Scalar one -> List.of(one.text());
            case Yaml.Listing list -> {
                var texts = new ArrayList<String>();
                for (var item : list.items()) {
                    if (item instanceof Yaml.Scalar text) {
                        texts.add(text.text());
                    } else {
                        problems.add(item.at().problem("this is a text"));
                    }
                }
                yield texts;
            }
            case Yaml.Mapping map -> {
                problems.add(map.at().problem("this is a text, or a list of them"));
                yield List.of();
            }
        };
    }

    @Nullable
    ValuePath stdin(@Nullable Yaml value) {
        if (value != null && !(value instanceof Yaml.Scalar)) {
            problems.add(value.at().problem("stdin: is the path of one value, as in results.write_html"));
        }
        return value instanceof Yaml.Scalar path ? path(path) : null;
    }

    List<String> names(@Nullable Yaml value) {
        var names = texts(value);
        try {
            names.forEach(name -> own(Names.check("step", name)));
        } catch (IllegalArgumentException e) {
            problems.add(Objects.requireNonNull(value).at().problem("was: " + e.getMessage()));
        }
        return names;
    }

    @Nullable
    ValuePath path(Yaml.Scalar text) {
        return FlowPath.of(text.text(), text.at(), problems);
    }

    /** Words that are not known are mistakes, with the one that was meant. */
    void check(Yaml.Mapping map, List<String> known) {
        for (var word : map.members().keySet()) {
            if (!known.contains(word.text())) {
                problems.add(word.at()
                        .problem("\"" + word.text() + "\" is not known here" + Nearest.hint(word.text(), known)));
            }
        }
    }
}
