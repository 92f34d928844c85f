package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.PawlOptions;
import dev.pawl.command.Meaning;
import dev.pawl.command.Secrets;
import dev.pawl.effect.Contract;
import dev.pawl.job.Handling;
import dev.pawl.job.Named;
import dev.pawl.job.Workflow;
import dev.pawl.retry.Retry;
import dev.pawl.store.Rescuing;
import dev.pawl.time.Durations;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The page of exit codes, defaults and limits says what the code does. */
class DefaultsPageTest {
    /** Theirs are the machine's and the user's. */
    private static final Set<String> OF_THE_PLACE = Set.of("--zone", "--by", "--queue");

    private static List<String> page() throws IOException {
        return Files.readAllLines(Path.of("../../docs/guide/exit-codes-and-defaults.md"));
    }

    /** The rows of the table below a heading, by their first cell. */
    private static Map<String, String> table(String heading) throws IOException {
        var rows = new TreeMap<String, String>();
        var within = false;
        for (var line : page()) {
            within = line.startsWith("## ") ? line.equals("## " + heading) : within;
            if (within && line.startsWith("| ") && !line.startsWith("|---")) {
                var cells = line.substring(2, line.length() - 2).split(" \\| ", 2);
                rows.put(cells[0], cells[1]);
            }
        }
        return rows;
    }

    private static void options(CommandLine command, String name, Map<String, String> found) {
        command.getSubcommands().forEach((word, below) -> options(below, (name + " " + word).strip(), found));
        for (var option : command.getCommandSpec().options()) {
            var value = option.initialValue();
            var ofThePlace = OF_THE_PLACE.contains(option.longestName()) && !name.equals("cost");
            if ((value instanceof String || value instanceof Integer) && !ofThePlace) {
                found.put("`" + name + " " + option.longestName() + "`", String.valueOf(value));
            }
        }
    }

    @Test
    void every_default_of_an_option_stands_there() throws IOException {
        var found = new TreeMap<String, String>();
        options(Main.commandLine("--help"), "", found);
        var told = table("Options unless said");
        told.remove("option");
        assertThat(found).isNotEmpty().isEqualTo(told);
    }

    private static String text(Duration duration) {
        return duration.compareTo(Duration.ofSeconds(10)) < 0 ? duration.toSeconds() + "s" : Durations.word(duration);
    }

    private static String text(Retry retry) {
        return retry.attempts() + ", " + text(retry.first()) + ".." + text(retry.cap());
    }

    /** A figure that is nobody else's business. */
    private static Object figure(String type, String name) throws ReflectiveOperationException {
        var field = Class.forName("dev.pawl." + type).getDeclaredField(name);
        field.setAccessible(true);
        return field.get(null);
    }

    private static String usual(String type, String name) throws ReflectiveOperationException {
        return text((Duration) figure(type, name));
    }

    private static Duration term() throws ReflectiveOperationException {
        var options = Class.forName("dev.pawl.engine.local.EngineOptions");
        var pace = options.getMethod("pace")
                .invoke(options.getMethod("usual", String.class).invoke(null, "w"));
        return (Duration) pace.getClass().getMethod("term").invoke(pace);
    }

    @Test
    void every_default_of_flows_and_java_is_the_codes() throws IOException, ReflectiveOperationException {
        var code = new TreeMap<String, String>();
        code.put("what", "unless said");
        code.put("attempts and backoff of a flow, batch or guard", text(Retry.OF_COMMANDS));
        code.put("attempts and backoff of a workflow in Java", text(Retry.USUAL));
        code.put("how long a step or a command may take", usual("engine.local.StepRunner", "USUAL_TIMEOUT"));
        assertThat(usual("script.FlowReader", "USUAL_TIMEOUT"))
                .isEqualTo(usual("engine.local.StepRunner", "USUAL_TIMEOUT"));
        code.put("how long an effect in Java may take", usual("engine.local.EffectRunner", "USUAL_TIMEOUT"));
        code.put("how long a transaction may take", usual("engine.local.TransactionRunner", "USUAL_TIMEOUT"));
        code.put("how long an attempt can land after it ended (`settle`)", text(Contract.USUAL_SETTLE));
        code.put("how long an idempotent destination remembers a key", text(Contract.USUAL_MEMORY));
        code.put("how long an approval of a flow waits (`expires`)", usual("script.FlowReader", "USUAL_EXPIRY"));
        code.put("items of a fan-out at once", String.valueOf(Named.USUAL_AT_ONCE));
        code.put("a worker's term", text(term()));
        code.put("strikes before a suspect fails", String.valueOf(Rescuing.MOST_STRIKES));
        assertThat(table("Flows and Java unless said")).isEqualTo(code);
    }

    private static String most(String type, String name) throws ReflectiveOperationException {
        return String.format(Locale.ROOT, "%,d", ((Number) figure(type, name)).longValue());
    }

    @Test
    void every_limit_is_the_codes() throws IOException, ReflectiveOperationException {
        var code = new TreeMap<String, String>();
        code.put("what", "at most");
        code.put("characters of a name (workflow, batch, guard, step, effect)", most("key.Names", "MOST_CHARS"));
        code.put("parts of a job key", most("key.Key", "MOST_PARTS"));
        code.put("characters of a job key", most("key.Key", "MOST_CHARS"));
        code.put("characters of an item's key", most("key.Place", "MOST_CHARS"));
        code.put("characters of a signal's id", most("journal.Message", "MOST_ID_CHARS"));
        code.put("characters of a signal's payload", most("journal.Message", "MOST_PAYLOAD_CHARS"));
        code.put("bytes of a standard output that is a result", most("command.ExitReader", "MOST_RESULT"));
        code.put("characters of a result in `PAWL_RESULT`", most("command.ExitReader", "MOST_KEPT"));
        code.put("characters of an input, or of a result in Java", most("json.Values", "MOST_CHARS"));
        code.put("bytes of an artifact in the store", most("journal.Artifact", "MOST_BYTES"));
        code.put("characters that are kept of what an attempt wrote", most("journal.Entry$Logged", "MOST_CHARS"));
        code.put("characters of a secret", most("command.Secrets", "MOST_CHARS"));
        code.put("characters that are kept of a request, for people", most("effect.RequestText", "MOST_CHARS"));
        code.put(
                "characters that are kept of what a command read, for people",
                most("command.ShownCommand", "MOST_INPUT"));
        code.put("characters of a row", most("batch.RowFile", "MOST_CHARS"));
        code.put("characters of a failure's message", most("failure.Failure", "MOST_CHARS"));
        code.put("characters of an event's field", most("event.Logfmt", "MOST_CHARS"));
        assertThat(table("Limits")).isEqualTo(code);
        assertThat(String.join("\n", page())).contains("A secret has at least " + Secrets.LEAST_CHARS + " characters");
    }

    @Test
    void what_exit_codes_of_commands_mean_stands_there() throws IOException, ReflectiveOperationException {
        var usual = Meaning.class.getDeclaredMethod("usual", int.class);
        usual.setAccessible(true);
        var codes = new EnumMap<Meaning, List<String>>(Meaning.class);
        for (var code = 0; code < 128; code++) {
            codes.computeIfAbsent((Meaning) usual.invoke(null, code), meaning -> new ArrayList<>())
                    .add(String.valueOf(code));
        }
        var page = new TreeMap<String, String>();
        page.put("code", "what it says");
        page.put(String.join(", ", codes.get(Meaning.DONE)), "done");
        page.put(String.join(", ", codes.get(Meaning.TRANSIENT)), "nothing happened, try again");
        page.put(String.join(", ", codes.get(Meaning.PERMANENT)), "nothing happened, and never will");
        page.put(
                String.join(", ", codes.get(Meaning.ACCOUNT)),
                "the account: everybody waits at a gate, no attempt is spent");
        page.put(String.join(", ", codes.get(Meaning.IN_DOUBT)) + ", a signal, a time-out, no exit known", "in doubt");
        page.put(
                "any other",
                "a step, or an idempotent effect: try again · a verifiable effect: verify · no contract: ask");
        assertThat(table("Exit codes of commands")).isEqualTo(page);
        assertThat(table("Exit codes of `pawl`"))
                .containsKeys(
                        "0", "1", "2", "3", String.valueOf(ExitCodes.UNFINISHED), String.valueOf(GuardCommand.OURS));
    }

    @Test
    void every_option_in_java_stands_in_one_table() throws IOException {
        var options = new TreeSet<String>();
        for (var type : List.of(
                PawlOptions.class,
                Workflow.Implementation.class,
                Workflow.class,
                Retry.class,
                Named.class,
                Contract.class,
                Handling.class)) {
            for (var method : type.getDeclaredMethods()) {
                var isOption = Modifier.isPublic(method.getModifiers())
                        && !Modifier.isStatic(method.getModifiers())
                        && method.getReturnType() == type
                        && !method.equals(kept());
                if (isOption) {
                    options.add(type.getCanonicalName()
                                    .substring(type.getPackageName().length() + 1) + "." + method.getName());
                }
            }
        }
        var named = table("Options in Java").keySet().stream()
                .filter(cell -> cell.startsWith("`"))
                .map(cell -> cell.substring(1, cell.indexOf('(')))
                .toList();
        assertThat(named).containsExactlyInAnyOrderElementsOf(options);
    }

    /** It says how a handling is stored, and is nobody's option. */
    private static Method kept() {
        try {
            return Handling.class.getMethod("kept");
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }
}
