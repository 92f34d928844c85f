package dev.pawl.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.command.Folder.Sight;
import dev.pawl.time.Time;
import java.io.IOException;
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
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path root;

    private final AtomicInteger folders = new AtomicInteger();

    @SuppressWarnings("NullAway.Init")
    private Minders minders;

    @BeforeEach
    void start() {
        minders = new Minders(Time.system(), root.resolve("minder.log"));
    }

    @AfterEach
    void stop() throws IOException {
        minders.close();
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
        var minders = ProcessHandle.current()
                .descendants()
                .filter(one -> one.info().commandLine().orElse("").contains(Minder.class.getName()))
                .toList();
        assertThat(minders).isNotEmpty();
        minders.forEach(ProcessHandle::destroyForcibly);
        minders.forEach(minder -> minder.onExit().join());
    }

    private static void until(String file, Path in) {
        while (!Files.exists(in.resolve(file))) {
            Thread.onSpinWait();
        }
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
        var exit = ran(Duration.ofMillis(300), "trap '' TERM; sleep 3131 & echo $! > child; sleep 3131");
        assertThat(exit.timedOut()).isTrue();
        assertThat(exit.code()).isEqualTo(137);
        // One that has ended, and that nobody has asked how, has no command line any more.
        var child = Path.of("/proc", Files.readString(root.resolve("child")).strip(), "cmdline");
        assertThat(!Files.exists(child) || Files.readString(child).isEmpty())
                .as("its child is gone")
                .isTrue();
    }

    @Test
    void a_child_that_holds_the_pipe_holds_nobody_up() throws Exception {
        var exit = ran(LONG, "sleep 15 & echo done");
        assertThat(exit.code()).isZero();
        assertThat(exit.took()).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void a_child_that_writes_on_and_on_holds_nobody_up_either() throws Exception {
        var exit = ran(LONG, "(for i in $(seq 150); do echo more; sleep 0.1; done) & echo done");
        assertThat(exit.code()).isZero();
        assertThat(exit.took()).isLessThan(Duration.ofSeconds(12));
    }

    @Test
    void endless_output_is_kept_within_bounds() throws Exception {
        var folder = given(LONG, "yes 0123456789 | head -c 1000000000; echo the end >&2");
        var exit = ((Sight.Ended) minders.await(folder, LONG)).exit();
        assertThat(exit.output()).isEqualTo(1_000_000_000);
        assertThat(exit.trouble()).contains("only the first");
        assertThat(Files.size(folder.output())).isEqualTo(KeptOutput.MOST);
        assertThat(Files.size(folder.log())).isLessThanOrEqualTo(KeptOutput.MOST_LOG);
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
        var running = given(LONG, "touch begun; sleep 20");
        until("begun", root);
        killTheMinder();
        assertThat(minders.await(running, LONG)).isEqualTo(new Sight.Lost());
        // One that a minder takes in the very moment of its death is never started, and says so.
        var next = minders.await(given(LONG, "exit 5"), LONG);
        for (var i = 0; i < 100 && next instanceof Sight.Abandoned; i++) {
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
                        List.of("sh", "-c", "touch begun; cat > /dev/null; sleep 1; echo alive; exit 4"),
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
        var sight = minders.await(folder, LONG);
        assertThat(((Sight.Ended) sight).exit().code()).isEqualTo(4);
        assertThat(folder.output()).hasContent("alive\n");
    }
}
