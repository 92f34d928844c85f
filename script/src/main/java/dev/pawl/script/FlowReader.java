package dev.pawl.script;

import dev.pawl.effect.Contract;
import dev.pawl.effect.Terms;
import dev.pawl.job.Named;
import dev.pawl.script.Flow.Command;
import dev.pawl.script.Flow.FlowStep;
import dev.pawl.yaml.Nearest;
import dev.pawl.yaml.Problem;
import dev.pawl.yaml.ValuePath;
import dev.pawl.yaml.Yaml;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a flow from its file, and says all that is wrong with it at once. Used once; not thread-safe. */
public final class FlowReader {
    private static final Duration USUAL_TIMEOUT = Duration.ofHours(1);
    private static final Duration USUAL_EXPIRY = Duration.ofHours(24);
    private static final Duration LONGEST_EXPIRY = Duration.ofDays(365);
    private static final List<String> TOP = List.of(
            "workflow", "version", "runs", "key", "retry", "timeout", "secrets", "principal", "budget", "steps");
    private static final List<String> KINDS = List.of("step", "effect", "approve", "sleep", "foreach");
    private static final List<String> OF_STEP =
            List.of("step", "run", "timeout", "retry", "exit", "env", "stdin", "was");
    private static final List<String> OF_EFFECT =
            List.of("effect", "run", "contract", "verify", "settle", "timeout", "retry", "exit", "env", "stdin", "was");
    private static final List<String> OF_APPROVE = List.of("approve", "ask", "expires");
    private static final List<String> OF_SLEEP = List.of("sleep", "for");
    private static final List<String> OF_FOREACH = List.of("foreach", "in", "key", "at-once", "steps");

    private static final int MOST_BYTES = 4 * Yaml.MOST_CHARS;

    private final Path file;
    private final List<Problem> problems = new ArrayList<>();
    private final FlowValues values = new FlowValues(problems);
    private final Set<String> names = new HashSet<>();
    private Duration timeout = USUAL_TIMEOUT;
    private List<String> secrets = List.of();

    private FlowReader(Path file) {
        this.file = file;
    }

    /**
     * The flow that {@code file} says.
     *
     * @throws FlowMistaken when it says none
     */
    public static Flow read(Path file) throws IOException {
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        }
        if (bytes.length > MOST_BYTES) {
            var longer = new Problem(1, 1, "the file is longer than " + MOST_BYTES + " bytes");
            throw new FlowMistaken(String.valueOf(file.getFileName()), List.of(longer));
        }
        return read(
                file,
                StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes))
                        .toString());
    }

    /** The flow that {@code text} says, as if it stood in {@code file}. */
    static Flow read(Path file, String text) {
        return new FlowReader(file.toAbsolutePath()).flow(text);
    }

    private Flow flow(String text) {
        var root = Yaml.read(text, problems);
        var flow = root instanceof Yaml.Mapping top ? flow(top) : null;
        if (root != null && flow == null && problems.isEmpty()) {
            problems.add(root.at().problem("a flow begins with workflow: NAME"));
        }
        if (flow == null || !problems.isEmpty()) {
            problems.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
            throw new FlowMistaken(String.valueOf(file.getFileName()), problems);
        }
        return flow;
    }

    private @Nullable Flow flow(Yaml.Mapping top) {
        var schedule = top.get("schedule");
        if (schedule != null) {
            problems.add(schedule.at()
                    .problem("schedules are not known yet; leave it out, and let cron call \"pawl run\" with --slot"));
        }
        var known = new ArrayList<>(TOP);
        known.add("schedule");
        values.check(top, known);
        var name = values.name(top, "workflow", top.get("workflow"));
        timeout = values.duration(top.get("timeout"), USUAL_TIMEOUT);
        var retry = values.retry(top.get("retry"));
        secrets = values.texts(top.get("secrets"));
        var rules = new Flow.Rules(
                retry,
                timeout,
                secrets,
                values.principal(top.get("principal")),
                values.budgets(top.get("budget")),
                new Flow.Fitting(values.version(top.get("version")), values.versions(top.get("runs"))));
        var key = paths(top.get("key"));
        var steps = steps(top, top.get("steps"), new HashSet<>(), false);
        return name == null ? null : new Flow(name, key, rules, steps, Objects.requireNonNull(file.getParent()));
    }

    // ---- steps

    private List<FlowStep> steps(Yaml.Mapping of, @Nullable Yaml listed, Set<String> before, boolean inLoop) {
        if (!(listed instanceof Yaml.Listing list) || list.items().isEmpty()) {
            problems.add((listed == null ? of : listed).at().problem("steps: is a list with at least one step"));
            return List.of();
        }
        var steps = new ArrayList<FlowStep>();
        Yaml.@Nullable Mapping asks = null;
        for (var item : list.items()) {
            if (!(item instanceof Yaml.Mapping one)) {
                problems.add(item.at().problem("a step is written \"- step: NAME\" with run: below it"));
                continue;
            }
            var step = step(one, before, inLoop);
            if (asks != null && !(step instanceof FlowStep.Run run && run.terms() != null)) {
                problems.add(asks.at().problem("an approval is for the effect that follows it, and none does"));
            }
            asks = step instanceof FlowStep.Approve ? one : null;
            if (step != null) {
                steps.add(step);
                before.add(step.name());
            }
        }
        if (asks != null) {
            problems.add(asks.at().problem("an approval is for the effect that follows it, and none does"));
        }
        return steps;
    }

    private @Nullable FlowStep step(Yaml.Mapping one, Set<String> before, boolean inLoop) {
        var kinds = KINDS.stream().filter(kind -> one.get(kind) != null).toList();
        if (kinds.size() != 1) {
            var first = one.members().isEmpty()
                    ? ""
                    : one.members().firstEntry().getKey().text();
            problems.add(one.at()
                    .problem(
                            kinds.isEmpty()
                                    ? "a step says what it is: " + String.join(", ", KINDS)
                                            + (first.isEmpty() ? "" : Nearest.hint(first, KINDS))
                                    : "a step is one thing, not " + String.join(" and ", kinds)));
            return null;
        }
        var kind = kinds.getFirst();
        var name = values.name(one, kind, one.get(kind));
        if (name == null) {
            return null;
        }
        if (!names.add(name)) {
            problems.add(one.at().problem("\"" + name + "\" is the name of two steps; give each its own"));
        }
        return switch (kind) {
            case "step" -> run(one, name, OF_STEP, null, before, inLoop);
            case "effect" -> run(one, name, OF_EFFECT, terms(one), before, inLoop);
            case "approve" -> approve(one, name, before, inLoop);
            case "sleep" -> sleep(one, name);
            default -> forEach(one, name, before);
        };
    }

    private @Nullable FlowStep run(
            Yaml.Mapping one,
            String name,
            List<String> known,
            @Nullable Terms terms,
            Set<String> before,
            boolean inLoop) {
        values.check(one, known);
        var command = values.command(one, one.get("run"), "run");
        var verify = one.get("verify") == null ? null : values.command(one, one.get("verify"), "verify");
        var stdin = values.stdin(one.get("stdin"));
        var environment = values.environment(one.get("env"));
        var how = new Flow.CommandSettings(
                environment,
                stdin,
                values.exits(one.get("exit")),
                values.duration(one.get("timeout"), timeout),
                new Flow.Naming(values.names(one.get("was")), values.attempts(one.get("retry"))));
        if (command == null) {
            return null;
        }
        checkPaths(one, command, before, inLoop);
        if (verify != null) {
            checkPaths(one, verify, before, inLoop);
        }
        environment.values().forEach(template -> checkPaths(one, template, before, inLoop));
        environment.keySet().stream()
                .filter(secrets::contains)
                .forEach(secret -> problems.add(one.at()
                        .problem(secret
                                + " is a secret, which a command has already; env: would keep another value of it")));
        if (stdin != null) {
            checkPath(one, stdin, before, inLoop);
        }
        return new FlowStep.Run(name, command, how, terms, verify);
    }

    private Terms terms(Yaml.Mapping one) {
        var settle = values.duration(one.get("settle"), Contract.USUAL_SETTLE);
        var verifiable = one.get("verify") != null;
        return new Terms(memory(one.get("contract"), verifiable), verifiable, settle);
    }

    /** How long the destination remembers keys, by the contract that is written; null when it does not. */
    private @Nullable Duration memory(@Nullable Yaml contract, boolean verifiable) {
        if (contract == null) {
            return null;
        }
        if (contract instanceof Yaml.Mapping map
                && map.get("idempotent") != null
                && map.members().size() == 1) {
            return values.duration(map.get("idempotent"), Contract.USUAL_MEMORY);
        }
        var word = contract instanceof Yaml.Scalar scalar ? scalar.text() : "";
        switch (word) {
            case "idempotent" -> {
                return Contract.USUAL_MEMORY;
            }
            case "none" -> {}
            case "verifiable" -> {
                if (!verifiable) {
                    problems.add(contract.at().problem("a verifiable effect says how to ask: verify: COMMAND"));
                }
            }
            default ->
                problems.add(contract.at()
                        .problem("a contract is none, idempotent, {idempotent: 48h} or verifiable"
                                + Nearest.hint(word, List.of("none", "idempotent", "verifiable"))));
        }
        return null;
    }

    private FlowStep approve(Yaml.Mapping one, String name, Set<String> before, boolean inLoop) {
        values.check(one, OF_APPROVE);
        var asked = one.get("ask");
        if (!(asked instanceof Yaml.Scalar text)) {
            problems.add(one.at().problem("an approval asks something: ask: \"May it?\""));
            return new FlowStep.Approve(name, new Template(List.of()), USUAL_EXPIRY);
        }
        var ask = Template.of(text, problems);
        checkPaths(one, ask, before, inLoop);
        return new FlowStep.Approve(name, ask, values.duration(one.get("expires"), USUAL_EXPIRY, LONGEST_EXPIRY));
    }

    private FlowStep sleep(Yaml.Mapping one, String name) {
        values.check(one, OF_SLEEP);
        if (one.get("for") == null) {
            problems.add(one.at().problem("a sleep says how long: for: 10m"));
        }
        return new FlowStep.Sleep(name, values.duration(one.get("for"), Duration.ZERO));
    }

    private @Nullable FlowStep forEach(Yaml.Mapping one, String name, Set<String> before) {
        values.check(one, OF_FOREACH);
        var in = one.get("in") instanceof Yaml.Scalar path ? values.path(path) : null;
        var key = one.get("key") instanceof Yaml.Scalar path ? values.path(path) : null;
        if (in == null) {
            problems.add(one.at().problem("a loop says where its items are: in: input.pages, or in: results.STEP"));
        } else {
            checkPath(one, in, before, false);
        }
        if (key == null || !key.names().getFirst().equals("item")) {
            problems.add(one.at()
                    .problem(
                            "a loop says what makes an item itself: key: item.slug, or key: item; never its position"));
        }
        var steps = steps(one, one.get("steps"), new HashSet<>(before), true);
        return in == null || key == null
                ? null
                : new FlowStep.ForEach(
                        name, in, key, values.number(one.get("at-once"), Named.USUAL_AT_ONCE, 1, 1_000), steps);
    }

    // ---- paths

    private List<ValuePath> paths(@Nullable Yaml value) {
        if (value == null) {
            problems.add(
                    new Problem(1, 1, "a flow says what makes a job itself: key: [input.FIELD], or key: [slot.date]"));
            return List.of();
        }
        var items = value instanceof Yaml.Listing list ? list.items() : List.of(value);
        var paths = new ArrayList<ValuePath>();
        for (var item : items) {
            if (!(item instanceof Yaml.Scalar text)) {
                problems.add(item.at().problem("a key is made of paths, such as input.slug"));
                continue;
            }
            if (text.text().contains("${")) {
                problems.add(item.at()
                        .problem("a key is made of paths and never of templates: write "
                                + text.text().replaceAll("\\$\\{([^}]*)}", "$1")));
                continue;
            }
            var path = values.path(text);
            if (path != null && !List.of("input", "slot").contains(path.names().getFirst())) {
                problems.add(item.at().problem("a key is known before anything runs: it is made of input and slot"));
            } else if (path != null) {
                paths.add(path);
            }
        }
        if (items.isEmpty()) {
            problems.add(value.at().problem("a key has at least one path"));
        }
        return paths;
    }

    private void checkPaths(Yaml.Mapping one, Command command, Set<String> before, boolean inLoop) {
        if (command instanceof Command.Arguments list) {
            list.arguments().forEach(argument -> checkPaths(one, argument, before, inLoop));
        }
    }

    private void checkPaths(Yaml.Mapping one, Template template, Set<String> before, boolean inLoop) {
        for (var part : template.parts()) {
            if (part instanceof Template.Piece.Hole hole) {
                checkPath(one, hole.path(), before, inLoop);
            }
        }
    }

    /** What is not known yet when a step begins cannot be filled in. */
    private void checkPath(Yaml.Mapping one, ValuePath path, Set<String> before, boolean inLoop) {
        var step = FlowPath.step(path);
        if (step != null && !before.contains(step)) {
            problems.add(one.at()
                    .problem("there is no step \"" + step + "\" before this one"
                            + (before.isEmpty()
                                    ? ""
                                    : Nearest.hint(
                                            step, before.stream().sorted().toList()))));
        }
        if (path.names().getFirst().equals("item") && !inLoop) {
            problems.add(one.at().problem("there is an item only inside of foreach"));
        }
    }
}
