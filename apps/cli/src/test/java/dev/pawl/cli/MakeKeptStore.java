package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.command.Commands;
import dev.pawl.decision.Audit;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.script.FlowCode;
import dev.pawl.script.FlowReader;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.JsonNode;

/**
 * Makes a store of today to be kept, once in a file and once in PostgreSQL, by processes that are killed while jobs are in flight: {@code MakeKeptStore FLOWS TO}
 * copies the flows, works in {@code TO/left} and leaves {@code TO/file.zip} and {@code TO/postgres.sql}.
 */
final class MakeKeptStore {
    private static final Duration LOOK = Duration.ofMillis(10);

    private final Path folder;
    private final String store;
    private final KeptWork work;

    private MakeKeptStore(Path folder, String store) {
        this.folder = folder;
        this.store = store;
        this.work = new KeptWork(folder, true);
    }

    /** Two folders; or, for the processes that it starts, what one of them does, where, and with which store. */
    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "leave-a-command" -> new MakeKeptStore(Path.of(arguments[1]), arguments[2]).leaveACommand();
            case "leave-the-rest" -> new MakeKeptStore(Path.of(arguments[1]), arguments[2]).leaveTheRest();
            default -> make(Path.of(arguments[0]), Files.createDirectories(Path.of(arguments[1])));
        }
    }

    private static void make(Path flows, Path to) throws Exception {
        var file = copy(flows, to.resolve("left/file"));
        fill(file, file.resolve("pawl.db").toString());
        zip(file, to.resolve("file.zip"));
        var database = copy(flows, to.resolve("left/postgres"));
        try (var server = PostgresServer.start()) {
            fill(database, server.url());
            Files.writeString(to.resolve("postgres.sql"), PostgresDump.of(server.url()));
        }
    }

    private static Path copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (var files = Files.list(from)) {
            for (var one : files.toList()) {
                Files.copy(one, to.resolve(one.getFileName()));
            }
        }
        return to;
    }

    private static void fill(Path folder, String store) throws Exception {
        run("leave-a-command", folder, store);
        Files.createFile(folder.resolve("go"));
        while (exits(folder) == 0) {
            Time.system().await(LOOK);
        }
        Files.delete(folder.resolve("go"));
        run("leave-the-rest", folder, store);
        Files.createFile(folder.resolve("go"));
    }

    private static long exits(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(one -> one.endsWith("exit")).count();
        }
    }

    private static void run(String what, Path folder, String store) throws Exception {
        var process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        absolute(System.getProperty("java.class.path")),
                        MakeKeptStore.class.getName(),
                        what,
                        folder.toString(),
                        store)
                .directory(folder.toFile())
                .inheritIO()
                .start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException(what + " failed");
        }
    }

    private static String absolute(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .map(one -> Path.of(one).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** A command goes on when its Pawl is killed, and ends when nobody is there. */
    private void leaveACommand() throws Exception {
        typed(0, "submit", work.flow("publish"), "--input", "{\"id\":1}");
        var pawl = Pawl.openOrCreate(store, KeptWork.options());
        pawl.work(code("publish"));
        await("begun-1-upload");
        Runtime.getRuntime().halt(0);
    }

    private void leaveTheRest() throws Exception {
        var pawl = Pawl.openOrCreate(store, KeptWork.options());
        pawl.work(KeptWork.ORDERS.implementedBy(work::order), code("render"));
        for (var pruned : List.of("talk", "fail")) {
            submit(pawl, "pruned-" + pruned, pruned);
            KeptWork.awaitOrder(pawl, "pruned-" + pruned, job -> job.state().finished());
        }
        pawl.prune(Time.system().now().plusSeconds(60));
        for (var how : List.of("talk", "signal", "call", "many", "fail", "held")) {
            submit(pawl, how, how);
        }
        leaveRowsAndTools(pawl);
        KeptWork.awaitOrder(pawl, "talk", job -> job.state() == JobState.DONE);
        KeptWork.awaitOrder(pawl, "fail", job -> job.state() == JobState.FAILED);
        KeptWork.awaitOrder(pawl, "signal", job -> job.state() == JobState.WAITING);
        KeptWork.awaitOrder(pawl, "call", job -> job.state() == JobState.WAITING);
        KeptWork.awaitOrder(pawl, "many", job -> job.state() == JobState.PAUSED);
        KeptWork.awaitOrder(pawl, "called", job -> job.state() == JobState.PAUSED);
        submit(pawl, "cancelled", "signal");
        pawl.cancel(
                KeptWork.awaitOrder(pawl, "cancelled", job -> job.state() == JobState.WAITING),
                new Audit("a person", "not needed"));
        KeptWork.awaitOrder(pawl, "cancelled", job -> job.state() == JobState.CANCELLED);

        typed(
                1,
                "batch",
                "run",
                folder.resolve("rows.jsonl").toString(),
                "--name=nightly",
                "--key=id",
                "--",
                "sh",
                folder.resolve("row.sh").toString());
        typed(3, "run", work.flow("announce"), "--input", "{\"id\":1}");
        typed(3, "run", work.flow("charge"), "--input", "{\"id\":1}");
        typed(3, "run", work.flow("label"), "--input", "{\"id\":1}");
        typed(75, "run", work.flow("nap"), "--input", "{\"id\":1}", "--linger=1s");
        typed(0, "submit", work.flow("label"), "--input", "{\"id\":2}");

        typed(0, "submit", work.flow("render"), "--input", "{\"id\":1}");
        await("begun-render");
        while (!Files.readString(folder.resolve("sent")).contains("orders/held ship")) {
            Time.system().await(LOOK);
        }
        if (pawl.find(new Identity("render", Key.of(1))).orElseThrow().state() != JobState.RUNNING
                || KeptWork.order(pawl, "held").state() != JobState.RUNNING) {
            throw new IllegalStateException("nothing is in flight");
        }
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        Runtime.getRuntime().halt(0);
    }

    /** Of three rows one has come to something, one is sent, and one is not; a tool was called, and something goes on elsewhere. */
    private static void leaveRowsAndTools(Pawl pawl) throws Exception {
        var rows = new LinkedHashMap<Key, Map<String, Integer>>();
        IntStream.range(0, 3).forEach(number -> rows.put(KeptWork.rowKey(number), Map.of("number", number)));
        var ledger = pawl.ledger(KeptWork.ROWS);
        ledger.enrol(rows, false);
        submit(pawl, "rows", "rows");
        KeptWork.awaitOrder(pawl, "rows", job -> job.state() == JobState.WAITING);
        var answer = new RowAnswer(
                KeptWork.rowKey(0).toString(), 1, 1, new RowAnswer.RowEnding.RowSucceeded("\"a label\""), null);
        ledger.answer(List.of(answer), 3);
        pawl.submit(
                KeptWork.ORDERS,
                Key.of("tools"),
                new KeptWork.Order("tools", 100),
                Handling.usual().traceparent(KeptWork.TRACED));
        KeptWork.awaitOrder(pawl, "tools", job -> job.state() == JobState.WAITING);
    }

    private static void submit(Pawl pawl, String key, String how) {
        pawl.submit(KeptWork.ORDERS, Key.of(key), new KeptWork.Order(how, 100));
    }

    private Workflow.Implementation<JsonNode, JsonNode> code(String flow) throws IOException {
        var commands =
                new Commands(Time.system(), folder.resolve("pawl.db-commands"), (identity, meaning, exit, says) -> {});
        return FlowCode.of(FlowReader.read(Path.of(work.flow(flow))), commands, Map.of(), (identity, change) -> {});
    }

    private void typed(int code, String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add(all.contains("--") ? all.indexOf("--") : all.size(), "--store=" + store);
        var typed = Typing.of(all.toArray(String[]::new));
        if (typed.code() != code) {
            throw new IllegalStateException(all + " exits with " + typed);
        }
    }

    private void await(String file) throws InterruptedException {
        while (!Files.exists(folder.resolve(file))) {
            Time.system().await(LOOK);
        }
    }

    /** What belongs to the store, and what was done to the outside world. */
    private static void zip(Path folder, Path to) throws IOException {
        try (var zip = new ZipOutputStream(Files.newOutputStream(to));
                Stream<Path> files = Files.walk(folder)) {
            for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
                var name = folder.relativize(file).toString();
                if (name.endsWith("-shm") || !(name.startsWith("pawl.db") || name.equals("sent"))) {
                    continue;
                }
                // Wherever it is opened, it was left by another machine.
                zip.putNextEntry(new ZipEntry(name.replaceFirst(
                        "^pawl\\.db-commands/[^/.]+\\.[^/.]+\\.[^/.]+/", "pawl.db-commands/another.0.0/")));
                zip.write(Files.readAllBytes(file));
                zip.closeEntry();
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
