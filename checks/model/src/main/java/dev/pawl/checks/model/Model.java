package dev.pawl.checks.model;

import dev.pawl.checks.simulation.Stories;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/** Lets TLC explore the model, and replays nights of the simulation in it. */
public final class Model {
    private static final List<String> MODULES = List.of("Pawl", "Explore", "Replay", "Ledger");
    private static final Pattern STATES =
            Pattern.compile("([\\d,]+) states generated, ([\\d,]+) distinct states found, 0 states left");
    private static final Pattern BROKEN = Pattern.compile("(?:Invariant|Action property) (\\w+) is violated");

    private final Path folder;

    /** A model that is checked in {@code folder}. */
    Model(Path folder) {
        this.folder = folder;
    }

    /**
     * What TLC said.
     *
     * @param states how many distinct states there are; 0 when it stopped early
     * @param broken the promise that was broken; empty when none was
     * @param output all of it
     */
    record Answer(long states, String broken, String output) {
        /** Whether it is what the question expected. */
        boolean expectedBy(Question question) {
            return question.breaks().isEmpty()
                    ? states > 0 && output.contains("No error has been found")
                    : broken.equals(question.breaks());
        }
    }

    /** Argument: how many nights to replay. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var start = Time.system().nanos();
        var model = new Model(Files.createTempDirectory("pawl-model"));
        var nights = Integer.parseInt(arguments[0]);
        var stories = Stories.first(nights);
        stories.write(model.folder.resolve("Stories.tla"));
        System.err.println(nights + " nights of " + stories.looked() + "; the others are longer or change a contract: "
                + stories.actions());
        var questions = List.of(
                Question.replay(),
                Question.safety("everything that people may want, small", Size.SMALL),
                Question.liveness(Size.TO_THE_END),
                Question.neverTwice(Size.TINY),
                Question.withoutFence(Size.TINY),
                Question.impatient(Size.TINY),
                Question.silent(Size.SECRET),
                Question.untold(Size.TINY),
                Question.blind(Size.TINY),
                Question.owing(Size.OWING),
                Question.leftGoingOn(Size.CALLED_OFF),
                Question.ledger(LedgerMistake.NONE, 3, ""),
                Question.ledger(LedgerMistake.NO_FENCE, 2, "OnlyOwnersSend"),
                Question.ledger(LedgerMistake.NO_GENERATION, 2, "NothingMadeUp"),
                Question.ledger(LedgerMistake.MOVES_BACK, 2, "SucceededStays"),
                Question.safety("three workers, two jobs, two crashes, one zombie", Size.WHOLE));
        var wrong = 0;
        var states = 0L;
        for (var question : questions) {
            var answer = model.ask(question);
            states += answer.states();
            System.err.println(question.name() + ": " + words(question, answer));
            if (!answer.expectedBy(question)) {
                wrong++;
                System.err.println(answer.output());
            }
        }
        System.out.printf(
                Locale.ROOT,
                "{\"name\":\"model\",\"runs\":%d,\"lost\":0,\"duplicated\":0,\"stuck\":0,\"paused\":0,\"seeds\":%d,\"seconds\":%d,\"states\":%d,\"wrong\":%d}%n",
                questions.size() - wrong,
                nights,
                (Time.system().nanos() - start) / 1_000_000_000,
                states,
                wrong);
        model.clear();
        System.exit(wrong == 0 ? 0 : 1);
    }

    /** Removes what TLC left behind. */
    private void clear() throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static String words(Question question, Answer answer) {
        if (!answer.expectedBy(question)) {
            return "NOT AS EXPECTED" + (answer.broken().isEmpty() ? "" : ", " + answer.broken() + " is broken");
        }
        return answer.broken().isEmpty()
                ? String.format(Locale.ROOT, "%,d states, no error", answer.states())
                : answer.broken() + " is broken, as it must be";
    }

    /** Asks TLC, in a process of its own. */
    Answer ask(Question question) throws IOException, InterruptedException {
        for (var module : MODULES) {
            try (var in = Objects.requireNonNull(Model.class.getResourceAsStream(module + ".tla"))) {
                Files.write(folder.resolve(module + ".tla"), in.readAllBytes());
            }
        }
        var config = folder.resolve(question.module() + ".cfg");
        Files.writeString(config, question.config());
        var tlc = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseParallelGC",
                        "-Xmx2g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "tlc2.TLC",
                        "-workers",
                        "auto",
                        "-nowarning",
                        "-metadir",
                        folder.resolve("states").toString(),
                        "-config",
                        config.toString(),
                        folder.resolve(question.module()).toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        var output = new String(tlc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        tlc.waitFor();
        var found = STATES.matcher(output);
        var broken = BROKEN.matcher(output);
        return new Answer(
                found.find() ? Long.parseLong(found.group(2).replace(",", "")) : 0,
                broken.find() ? broken.group(1) : "",
                output);
    }

    /** The text of the model of jobs. */
    static String text() throws IOException {
        return text("Pawl");
    }

    /** The text of a model. */
    static String text(String module) throws IOException {
        try (var in = Objects.requireNonNull(Model.class.getResourceAsStream(module + ".tla"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
