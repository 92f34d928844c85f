package dev.pawl.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.command.Folder.Sight;
import dev.pawl.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real commands, real minders, real kills. */
class MindersTest {
    private static final Duration LONG = Duration.ofMinutes(4);

    /** What a command does that must not end before the test says so; it ends with its folder, for whoever kills a minder leaves its command to itself. */
    static final String UNTIL_GO =
            "for i in $(seq 3000); do test -e go && break; test -e \"$PWD\" || break; sleep 0.1; done; ";

    @TempDir
    private Path root;

    private static final String STUBBORN = "trap '' TERM; sleep 3131 & echo $! > child; touch deaf; sleep 3131";

    private final AtomicInteger folders = new AtomicInteger();

    @SuppressWarnings("NullAway.Init")
    private Minders minders;

    @BeforeEach
    void start() {
        minders = new Minders(Time.system(), root.resolve("minder.log"));
    }

    @AfterEach
    void stop() throws IOException {
        go(root);
        minders.close();
        awaitNoMinder();
    }

    /** Lets commands end that wait for it. */
    static void go(Path root) {
        try {
            Files.write(root.resolve("go"), new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nobody writes to a folder any more that is deleted next. */
    static void awaitNoMinder() {
        minders().forEach(minder -> minder.onExit().join());
    }

    private static List<ProcessHandle> minders() {
        return ProcessHandle.current()
                .descendants()
                .filter(one -> one.info().commandLine().orElse("").contains(Minder.class.getName()))
                .toList();
    }

    private Folder folder() {
        return Folder.at(root.resolve("key-" + folders.incrementAndGet()).resolve("1"));
    }

    private Folder given(Duration timeout, String script) throws IOException {
        var folder = folder();
        var order = new Order(List.of("sh", "-c", script), root, Map.of("PAWL_KEY", "the key"), timeout);
        folder.prepare(order, "what it reads".getBytes(StandardCharsets.UTF_8));
        minders.give(folder);
        return folder;
    }

    private Exit ran(Duration timeout, String script) throws IOException, InterruptedException {
        return ((Sight.Ended) minders.await(given(timeout, script), LONG)).exit();
    }

    static void killTheMinder() {
        var minders = minders();
        assertThat(minders).isNotEmpty();
        for (var minder : minders) {
            minder.destroyForcibly();
            minder.onExit().join();
        }
    }

    static void until(String file, Path in) throws InterruptedException {
        while (!Files.exists(in.resolve(file))) {
            Time.system().await(Duration.ofMillis(5));
        }
    }

    /** The process whose number a command has written to {@code file}. */
    private ProcessHandle child(String file) throws IOException {
        return ProcessHandle.of(
                        Long.parseLong(Files.readString(root.resolve(file)).strip()))
                .orElseThrow();
    }

    @Test
    void a_command_that_is_asked_to_end_ends_with_all_that_it_started_and_was_not_too_slow() throws Exception {
        var folder = Folder.at(root.resolve("asked").resolve("1"));
        var order =
                new Order(List.of("sh", "-c", "sleep 3131 & echo $! > child; touch deaf; wait"), root, Map.of(), LONG);
        folder.prepare(order, new byte[0]);
        minders.give(folder);
        while (!Files.exists(root.resolve("deaf"))) {
            Time.system().await(Duration.ofMillis(10));
        }
        folder.askToEnd();
        folder.askToEnd();
        var ended = (Sight.Ended) minders.await(folder, LONG);
        assertThat(ended.exit().timedOut()).isFalse();
        assertThat(ended.exit().code()).isEqualTo(143);
        var child = Long.parseLong(Files.readString(root.resolve("child")).strip());
        ProcessHandle.of(child).ifPresent(one -> one.onExit().join());
        folder.remove();
        folder.askToEnd();
        assertThat(folder.look()).isEqualTo(new Sight.Absent());
    }

    @Test
    void a_command_reads_writes_and_ends_as_it_wants() throws Exception {
        var folder = given(LONG, "cat; echo \" $PAWL_KEY\"; echo trouble >&2; exit 3");
        var exit = ((Sight.Ended) minders.await(folder, LONG)).exit();
        assertThat(exit.code()).isEqualTo(3);
        assertThat(exit.timedOut()).isFalse();
        assertThat(exit.trouble()).isNull();
        assertThat(folder.output()).hasContent("what it reads the key\n");
        assertThat(folder.log()).content().contains("what it reads", " the key", "trouble");
    }

    @Test
    void a_command_whose_time_is_up_is_ended_with_all_that_it_started_although_it_does_not_listen() throws Exception {
        // A machine may be so slow that the time is up before the command does not listen any more.
        var time = Duration.ofMillis(300);
        var exit = ran(time, STUBBORN);
        while (!Files.exists(root.resolve("deaf"))) {
            time = time.multipliedBy(3);
            exit = ran(time, STUBBORN);
        }
        assertThat(exit.timedOut()).isTrue();
        assertThat(exit.code()).isEqualTo(137);
        var child = Path.of("/proc", Files.readString(root.resolve("child")).strip(), "cmdline");
        while (isThere(child)) {
            Time.system().await(Duration.ofMillis(5));
        }
    }

    /** One that has ended, and that nobody has asked how, has no command line any more. */
    private static boolean isThere(Path commandLine) {
        try {
            return Files.readAllBytes(commandLine).length > 0;
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void a_child_that_holds_the_pipe_holds_nobody_up() throws Exception {
        var exit = ran(LONG, "sleep 3131 & echo $! > child; echo done");
        assertThat(exit.code()).isZero();
        assertThat(child("child").destroyForcibly()).as("it is still there").isTrue();
    }

    @Test
    void a_child_that_writes_on_and_on_holds_nobody_up_either() throws Exception {
        var exit = ran(
                LONG,
                "(trap '' PIPE; for i in $(seq 3000); do echo more; sleep 0.1; done) 2> errors & echo $! > child; echo done");
        assertThat(exit.code()).isZero();
        assertThat(child("child").destroyForcibly()).as("it is still there").isTrue();
    }

    @Test
    void endless_output_is_kept_within_bounds() throws Exception {
        var folder = given(LONG, "yes 0123456789 | head -c 100000000; echo the end >&2");
        var exit = ((Sight.Ended) minders.await(folder, LONG)).exit();
        assertThat(exit.output()).isEqualTo(100_000_000);
        assertThat(exit.trouble()).contains("only the first");
        assertThat(Files.size(folder.output())).isEqualTo(KeptOutput.MOST);
        assertThat(Files.size(folder.log())).isLessThanOrEqualTo(KeptOutput.MOST_ON_DISK);
        assertThat(folder.log()).content().contains("0123456789\n", "the end\n");
    }

    @Test
    void a_full_disk_loses_output_and_nothing_else() throws Exception {
        var folder = folder();
        var order = new Order(
                List.of("sh", "-c", "echo lost; echo lost too >&2; touch happened; exit 3"), root, Map.of(), LONG);
        folder.prepare(order, new byte[0]);
        for (var file : List.of(folder.output(), folder.log())) {
            Files.createSymbolicLink(file, Path.of("/dev/full"));
        }
        minders.give(folder);
        var exit = ((Sight.Ended) minders.await(folder, LONG)).exit();
        assertThat(exit.code()).isEqualTo(3);
        assertThat(exit.trouble()).contains("No space left");
        assertThat(root.resolve("happened")).exists();
    }

    @Test
    void a_minder_that_is_killed_leaves_what_ran_in_doubt_and_the_next_one_works() throws Exception {
        var running = given(LONG, "touch begun; " + UNTIL_GO);
        until("begun", root);
        killTheMinder();
        assertThat(minders.await(running, LONG)).isEqualTo(new Sight.Lost());
        // One that a minder takes in the very moment of its death is never started, and says so.
        var next = minders.await(given(LONG, "exit 5"), LONG);
        while (next instanceof Sight.Abandoned) {
            next = minders.await(given(LONG, "exit 5"), LONG);
        }
        assertThat(((Sight.Ended) next).exit().code()).as("by another minder").isEqualTo(5);
    }

    @Test
    void what_no_minder_was_given_is_given_up() throws Exception {
        var folder = folder();
        folder.prepare(new Order(List.of("true"), root, Map.of(), LONG), new byte[0]);
        assertThat(minders.await(folder, LONG)).isEqualTo(new Sight.Abandoned());
        minders.give(folder);
        assertThat(minders.await(folder, LONG)).as("and stays so").isEqualTo(new Sight.Abandoned());
    }

    @Test
    void a_command_outlives_whoever_wanted_it_and_its_end_is_there_for_the_next() throws Exception {
        var folder = folder();
        folder.prepare(
                new Order(
                        List.of("sh", "-c", "touch begun; cat > /dev/null; " + UNTIL_GO + "echo alive; exit 4"),
                        root,
                        Map.of(),
                        LONG),
                new byte[0]);
        var pawl = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        GivesAndWaits.class.getName(),
                        root.toString(),
                        folder.path().toString())
                .inheritIO()
                .start();
        until("begun", root);
        pawl.destroyForcibly().waitFor();
        assertThat(folder.look()).isEqualTo(new Sight.Running());
        go(root);
        var sight = minders.await(folder, LONG);
        assertThat(((Sight.Ended) sight).exit().code()).isEqualTo(4);
        assertThat(folder.output()).hasContent("alive\n");
    }

    private static final String TOKEN = "tok-0123456789abcdef";

    private Folder givenWithToken(String script, Relay relay) throws IOException {
        Files.writeString(root.resolve("token"), TOKEN);
        var folder = folder();
        var order = new Order(
                List.of("sh", "-c", script),
                root,
                Map.of("PAWL_RESULT", folder.result().toString()),
                LONG);
        folder.prepare(order, ("a row with " + TOKEN).getBytes(StandardCharsets.UTF_8));
        minders.give(folder, relay, Secrets.of(List.of(TOKEN)));
        return folder;
    }

    @Test
    void a_secret_that_is_split_over_two_writes_is_neither_shown_nor_written_down() throws Exception {
        var shown = new ByteArrayOutputStream();
        var relay = new Relay() {
            @Override
            public void output(byte[] bytes, int length) {
                shown.write(bytes, 0, length);
            }

            @Override
            public void error(byte[] bytes, int length) {
                output(bytes, length);
            }
        };
        var folder = givenWithToken(
                "echo first >&2; head -c 9 token; echo second >&2; " + UNTIL_GO + "tail -c +10 token; echo .", relay);
        while (!shown.toString(StandardCharsets.UTF_8).contains("second")) {
            Time.system().await(Duration.ofMillis(5));
        }
        go(root);
        assertThat(minders.await(folder, LONG)).isInstanceOf(Sight.Ended.class);
        assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo("first\nsecond\n***.\n");
        assertThat(folder.output()).hasContent("***.\n");
        assertThat(folder.log()).hasContent("first\nsecond\n***.\n");
    }

    @Test
    void a_log_that_is_cut_has_no_half_of_a_secret() throws Exception {
        // So much that what is left of it is cut, and what is written last is half of one.
        var folder = givenWithToken("yes \"$(cat token)\" | head -c 2000017", Relay.NOBODY);
        assertThat(minders.await(folder, LONG)).isInstanceOf(Sight.Ended.class);
        assertThat(Files.size(folder.log())).isBetween(KeptOutput.MOST_ON_DISK / 2L, (long) KeptOutput.MOST_ON_DISK);
        assertThat(Files.readString(folder.log()))
                .doesNotContain("tok-")
                .doesNotContain("cdef")
                .endsWith("***\n***");
    }

    @Test
    void once_a_command_has_ended_nothing_in_its_folder_has_a_secret_and_what_it_linked_is_as_it_was()
            throws Exception {
        var folder = givenWithToken("ln token \"$PAWL_RESULT\"; cat; cat token >&2", Relay.NOBODY);
        assertThat(minders.await(folder, LONG)).isInstanceOf(Sight.Ended.class);
        assertThat(folder.result()).hasContent("***");
        assertThat(folder.input()).hasContent("a row with ***");
        assertThat(root.resolve("token")).hasContent(TOKEN);
        try (var files = Files.walk(folder.path())) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as("%s", file)
                        .doesNotContain(TOKEN);
            }
        }
    }
}
