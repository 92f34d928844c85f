package dev.pawl.checks.bench;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.batch.Batch;
import dev.pawl.batch.KeyFields;
import dev.pawl.batch.RowFile;
import dev.pawl.batch.RowWork;
import dev.pawl.batch.Survey;
import dev.pawl.event.Events;
import dev.pawl.job.Handling;
import dev.pawl.job.Workflow;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** The command that a person types, beside what a JVM or a shell takes for the same. */
final class Typed {
    private static final int ROWS = 1_000;
    private static final Workflow<JsonNode, JsonNode> BATCH = Workflow.named("bench", JsonNode.class, JsonNode.class);

    private final Path pawl;
    private final Path folder;
    private final int rounds;
    private final boolean json;
    private final Time time = Time.system();

    Typed(Path pawl, Path folder, int rounds, boolean json) {
        this.pawl = pawl;
        this.folder = folder;
        this.rounds = rounds;
        this.json = json;
    }

    /** What a figure came to, round by round, beside its reference. */
    record Beside(List<Double> own, List<Double> reference) {}

    void measure() throws Exception {
        var rows = rows("rows.jsonl", ROWS);
        var again = run(rows, folder.resolve("again.db"), "true");
        took(again);
        var version = new Beside(new ArrayList<>(), new ArrayList<>());
        var skip = new Beside(new ArrayList<>(), new ArrayList<>());
        var nothing = new Beside(new ArrayList<>(), new ArrayList<>());
        for (var round = 0; round < rounds; round++) {
            for (var i = 0; i < 5; i++) {
                var hello = took(List.of(java(), "-cp", classes(), Hello.class.getName()));
                version.own().add(took(List.of(pawl.toString(), "--version")));
                version.reference().add(hello);
                skip.own().add(took(again));
                skip.reference().add(hello);
            }
            nothing.own().add(took(run(rows, folder.resolve("new-" + round + ".db"), "true")));
            nothing.reference().add(took(List.of("sh", "-c", "xargs -P 4 -d '\\n' -n 1 true < " + rows.getFileName())));
        }
        print("pawl --version", version);
        print("1,000 finished rows again", skip);
        var over = new ArrayList<Double>();
        for (var i = 0; i < rounds; i++) {
            over.add((nothing.own().get(i) - nothing.reference().get(i)) / ROWS);
        }
        var spread = Spread.ofDifference(over);
        say(
                new FigureLine("typed", "sqlite", "1,000 commands that do nothing").with("millisOverXargs", spread),
                String.format(
                        Locale.ROOT,
                        "typed      1,000 commands that do nothing   %8.2f ms each over xargs -P 4  %s",
                        spread.median(),
                        spread.text(2, 1)));
    }

    /** A finished batch of so many rows, run once more with little memory. */
    void many(int many) throws Exception {
        var rows = rows("many.jsonl", many);
        var store = folder.resolve("many.db");
        try (var open = Pawl.openOrCreate(store, PawlOptions.usual().slots(128).log(Events.NOWHERE))) {
            var survey = Survey.of(RowFile.at(rows), "bench", KeyFields.of("slug"), open.operator()::briefs, null);
            var work = new RowWork(BATCH.implementedBy((job, row) -> row), Handling.usual());
            var batch = new Batch(open, time, survey, work, Duration.ZERO);
            batch.run((held, silences) -> {}, () -> {});
            var report = batch.report(open);
            say(
                    new FigureLine("typed", "sqlite", "rows for the first time")
                            .with("rows", report.rows().done())
                            .with("seconds", report.time().toMillis() / 1e3, 1),
                    String.format(
                            Locale.ROOT,
                            "typed      %,d rows are done, in %s",
                            report.rows().done(),
                            report.time()));
        }
        for (var round = 0; round < rounds; round++) {
            var took = took(run(rows, store, "true"), "-Xmx256m");
            say(
                    new FigureLine("typed", "sqlite", "finished rows again")
                            .with("rows", many)
                            .with("perSecond", many / took * 1_000, 0),
                    String.format(
                            Locale.ROOT,
                            "typed      %,d finished rows again          %,10.0f rows/s",
                            many,
                            many / took * 1_000));
        }
    }

    private List<String> run(Path rows, Path store, String command) {
        return List.of(
                pawl.toString(),
                "batch",
                "run",
                rows.toString(),
                "--name",
                "bench",
                "--key",
                "slug",
                "--store",
                store.toString(),
                "-q",
                "--",
                command);
    }

    private Path rows(String name, int many) throws IOException {
        var file = folder.resolve(name);
        try (var writer = Files.newBufferedWriter(file)) {
            for (var i = 1; i <= many; i++) {
                writer.write("{\"slug\":\"article-" + i + "\",\"title\":\"The title of number " + i + "\"}\n");
            }
        }
        return file;
    }

    private double took(List<String> command) throws IOException, InterruptedException {
        return took(command, "");
    }

    /** How many milliseconds a command took, which must end well. */
    private double took(List<String> command, String options) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        if (!options.isEmpty()) {
            builder.environment().put("JDK_JAVA_OPTIONS", options);
        }
        builder.redirectOutput(folder.resolve("said").toFile());
        var start = time.nanos();
        var code = builder.start().waitFor();
        var took = (time.nanos() - start) / 1e6;
        if (code != 0) {
            throw new IllegalStateException(
                    command + " exits with " + code + ": " + Files.readString(folder.resolve("said")));
        }
        return took;
    }

    private void print(String what, Beside beside) {
        var times = Spread.ratio(beside.own(), beside.reference());
        say(
                new FigureLine("typed", "sqlite", what)
                        .with("millis", Spread.of(beside.own()).median(), 0)
                        .with("helloMillis", Spread.of(beside.reference()).median(), 0)
                        .with("timesHello", times),
                String.format(
                        Locale.ROOT,
                        "typed      %-30s %8.0f ms, %.1f times a bare hello of %.0f ms  %s",
                        what,
                        Spread.of(beside.own()).median(),
                        times.median(),
                        Spread.of(beside.reference()).median(),
                        times.text(1, 1)));
    }

    private void say(FigureLine machines, String people) {
        System.out.println(json ? machines.toString() : people);
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Loose classes: to open a jar takes a while too. */
    private static String classes() {
        return Path.of(System.getProperty("java.class.path"))
                .toAbsolutePath()
                .resolveSibling("classes")
                .toString();
    }
}
