package dev.pawl.command;

import static dev.pawl.command.MindersTest.UNTIL_GO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.effect.Contract;
import dev.pawl.job.JobState;
import dev.pawl.job.Named;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.store.Change;
import dev.pawl.store.Wanted;
import dev.pawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a process that is gone has begun, whoever finds it. */
class CommandTakeOverTest extends CommandHarness {
    /** Lets the command end once the second engine has the job. */
    private void goLater() {
        Thread.ofVirtual().start(() -> {
            try {
                again.await();
                MindersTest.go(root);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Test
    void a_command_that_still_runs_is_waited_for_and_not_run_again() throws Exception {
        var job = takenOver(
                Contract.none(), call("echo run >> runs; touch begun; " + UNTIL_GO + "echo '\"done\"'"), this::goLater);
        assertThat(result(job)).isEqualTo("\"done\"");
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
    }

    @Test
    void a_thawed_worker_does_not_start_a_steps_command_again() throws Exception {
        var frozen = new FreezingTime();
        var call = call("echo run >> runs; touch begun; until test -e go; do sleep 0.02; done; echo '\"done\"'");
        commands.close();
        commands = commands(frozen, "this-boot", MinderJars.ofLauncher());
        try (var others = commands("this-boot")) {
            var left = new CountDownLatch(1);
            var first = engine(frozen, Duration.ofSeconds(1), (job, input) -> {
                try {
                    return commands.step(job, Named.named("s"), call);
                } finally {
                    left.countDown();
                }
            });
            first.submit(JOB, "{}");
            MindersTest.until("begun", root);
            frozen.freeze();
            var second = engine(
                    Time.system(), Duration.ofSeconds(1), (job, input) -> others.step(job, Named.named("s"), call));
            var number = store.find(JOB).orElseThrow().id();
            while (store.find(JOB).orElseThrow().standing().fence() == 1) {
                Time.system().await(Duration.ofMillis(10));
            }
            Files.createFile(root.resolve("go"));
            assertThat(result(second.await(number, LONG).orElseThrow())).isEqualTo("\"done\"");
            frozen.thaw();
            assertThat(left.await(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
    }

    /** Waits until a command's folder has this in its log, and returns what it has. */
    private String logged(String text) {
        var key = EffectKey.of(JOB, new Place("", "e", ""), 0);
        try {
            while (true) {
                var fence = store.find(JOB).orElseThrow().standing().fence();
                for (var earlier = 1; earlier <= fence; earlier++) {
                    var written = Commands.written(List.of(root.resolve("commands")), key, 1, earlier);
                    if (written.contains(text)) {
                        return written;
                    }
                }
                Time.system().await(Duration.ofMillis(10));
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void what_a_killed_command_wrote_and_what_it_was_asked_is_there_for_whoever_is_asked_about_it() throws Exception {
        var call = call("echo half of it; touch begun; : hunter22-hunter; " + UNTIL_GO, Map.of(), "hunter22-hunter");
        var job = takenOver(Contract.none(), call, () -> {
            assertThat(logged("half of it")).isEqualTo("half of it\n");
            MindersTest.killTheMinder();
        });
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        assertThat(log(job)).endsWith("half of it\n");
        var request = store.journal(job.id()).stream()
                .map(line -> line.entry())
                .filter(Entry.Intended.class::isInstance)
                .map(entry -> ((Entry.Intended) entry).notes().request())
                .findFirst()
                .orElseThrow();
        var shown = ShownCommand.in(Objects.requireNonNull(request)).orElseThrow();
        assertThat(shown.line()).startsWith("sh -c 'echo half of it; ").contains(": ***;");
        assertThat(shown.directory()).isEqualTo(root.toString());
        assertThat(shown.given()).containsExactly("MORE=more");
        assertThat(shown.input()).isEqualTo("{\"row\":1}");
        assertThat(ShownCommand.in("{\"command\":1}")).isEmpty();
        assertThat(ShownCommand.in("{\"cut…")).isEmpty();
    }

    @Test
    void a_command_whose_minder_was_killed_is_asked_about() throws Exception {
        var job = takenOver(
                Contract.none(), call("echo run >> runs; touch begun; " + UNTIL_GO), MindersTest::killTheMinder);
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        assertThat(because(job)).contains("its minder was killed");
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
    }

    @Test
    void after_the_machine_was_started_again_what_ran_is_in_doubt_and_what_had_ended_is_known() throws Exception {
        var job = takenOver(Contract.none(), call("touch begun; " + UNTIL_GO), () -> {
            MindersTest.killTheMinder();
            startAgain();
        });
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        assertThat(because(job)).contains("the machine was started again");
    }

    @Test
    void an_end_that_was_known_before_the_machine_was_started_again_is_known_after() throws Exception {
        var job = takenOver(Contract.none(), call("touch begun; " + UNTIL_GO + "echo '\"before\"'"), () -> {
            MindersTest.go(root);
            untilEndedIn("this-host.1.this-boot");
            startAgain();
        });
        assertThat(result(job)).isEqualTo("\"before\"");
    }

    private static boolean endedIn(Path home) {
        try (var keys = Files.list(home)) {
            return Folder.at(keys.findFirst().orElseThrow().resolve("1-1")).look() instanceof Folder.Sight.Ended;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void startAgain() {
        goOnAs(new Start("this-host", "1", "another-boot"));
    }

    private void goOnAs(Start now) {
        try {
            commands.close();
            commands = commands(Time.system(), now, MinderJars.ofLauncher());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_command_that_another_machine_has_begun_in_the_same_folder_is_out_of_reach_and_not_over() throws Exception {
        var job = takenOver(
                Contract.none(),
                call("touch begun; " + UNTIL_GO),
                () -> goOnAs(new Start("other-host", "2", "another-boot")));
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        assertThat(because(job)).contains("it was begun on another machine, this-host, and may still run there");
        assertThat(store.journal(job.id()).stream().map(line -> line.entry()))
                .as("nobody says that it has ended")
                .noneMatch(Entry.ActEnded.class::isInstance);
        assertThat(new Folders(List.of(root.resolve("commands")), new Start("other-host", "2", "x")).otherMachines())
                .containsExactly("this-host");
    }

    @Test
    void a_command_that_is_seen_to_run_is_not_over_whatever_its_machine_is_called() throws Exception {
        var job = takenOver(Contract.none(), call("touch begun; " + UNTIL_GO), this::startAgain);
        assertThat(because(job)).contains("it is seen to run", "another machine of the same name");
    }

    @Test
    void an_end_that_another_machine_knows_is_known_here_too() throws Exception {
        var job = takenOver(Contract.none(), call("touch begun; " + UNTIL_GO + "echo '\"there\"'"), () -> {
            MindersTest.go(root);
            untilEndedIn("this-host.1.this-boot");
            goOnAs(new Start("other-host", "2", "another-boot"));
        });
        assertThat(result(job)).isEqualTo("\"there\"");
    }

    @Test
    void what_an_earlier_state_laid_out_without_a_machine_or_under_another_root_is_found() throws Exception {
        var job = takenOver(
                Contract.none(), call("echo run >> runs; touch begun; " + UNTIL_GO + "echo '\"before\"'"), () -> {
                    MindersTest.go(root);
                    untilEndedIn("this-host.1.this-boot");
                    move("commands/this-host.1.this-boot", "earlier/this-boot");
                });
        assertThat(result(job)).isEqualTo("\"before\"");
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
        assertThat(root.resolve("earlier/this-boot")).isEmptyDirectory();
    }

    /** What the machine that began it knows by now, told through the engine of whoever is there. */
    private boolean toldByTheFirstMachine() throws IOException {
        var folders = new Folders(List.of(root.resolve("commands")), new Start("this-host", "1", "later-boot"));
        var news = false;
        for (var end : folders.ends()) {
            news |= engines.getLast().tell(end);
        }
        return news;
    }

    @Test
    void the_machine_that_knows_how_an_attempt_ended_says_so_after_another_has_asked() throws Exception {
        var job = takenOver(
                Contract.none(),
                call(
                        "touch begun; until test -e go; do sleep 0.02; done; echo '\"there\"'; exit 3",
                        Map.of(3, Meaning.DONE)),
                () -> goOnAs(new Start("other-host", "2", "another-boot")));
        assertThat(because(job)).contains("it was begun by test");
        assertThat(toldByTheFirstMachine()).as("it still runs").isFalse();
        Files.createFile(root.resolve("go"));
        untilEndedIn("this-host.1.this-boot");
        assertThat(toldByTheFirstMachine()).isTrue();
        var done = engines.getLast().await(job.id(), LONG).orElseThrow();
        assertThat(result(done)).as("read as the call says that asked for it").isEqualTo("\"there\"");
        assertThat(toldByTheFirstMachine()).as("once").isFalse();
    }

    @Test
    void after_even_now_the_earlier_commands_late_exit_0_is_told_as_duplicated() throws Exception {
        var job = takenOver(
                Contract.none(),
                call("test $PAWL_ATTEMPT = 2 || { touch begun; until test -e go; do sleep 0.02; done; }"),
                () -> goOnAs(new Start("other-host", "2", "another-boot")));
        var question = Objects.requireNonNull(job.outcome().question());
        var evenNow = Decision.retry().evenNow().by(new Audit("anna", "looked"));
        store.exchange(
                List.of(new Change.Decide(job.id(), Changes.unfenced(new Random(1)), question.id(), evenNow)),
                Wanted.NOTHING);
        assertThat(result(engines.getLast().await(job.id(), LONG).orElseThrow()))
                .isEqualTo("null");
        Files.createFile(root.resolve("go"));
        untilEndedIn("this-host.1.this-boot");
        assertThat(toldByTheFirstMachine()).isTrue();
        assertThat(store.journal(job.id()).stream().map(line -> line.entry()))
                .anyMatch(entry -> entry instanceof Entry.Duplicated twice && twice.number() == 1);
    }

    private void untilEndedIn(String start) {
        while (!endedIn(root.resolve("commands").resolve(start))) {
            Thread.onSpinWait();
        }
    }

    private void move(String from, String to) {
        try {
            Files.createDirectories(root.resolve(to).getParent());
            Files.move(root.resolve(from), root.resolve(to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void what_killed_processes_left_of_jobs_that_are_over_is_swept_away() throws Exception {
        var home = root.resolve("commands").resolve("this-host.1.this-boot");
        var over = Folder.at(home.resolve("a").resolve("1-1"));
        var open = Folder.at(home.resolve("b").resolve("1-1"));
        var nobody = Folder.at(home.resolve("c").resolve("1-1"));
        over.prepare(new Order(List.of("true"), root, Map.of("PAWL_JOB", "w/over"), LONG), new byte[0]);
        open.prepare(new Order(List.of("true"), root, Map.of("PAWL_JOB", "w/open"), LONG), new byte[0]);
        nobody.prepare(new Order(List.of("true"), root, Map.of(), LONG), new byte[0]);
        commands.sweep(List.of(), identity -> identity.key().equals(Key.of("over")));
        assertThat(over.look()).isEqualTo(new Folder.Sight.Absent());
        assertThat(open.look()).isEqualTo(new Folder.Sight.Prepared());
        assertThat(nobody.look()).isEqualTo(new Folder.Sight.Prepared());
    }

    @Test
    void what_ends_while_other_ends_are_told_is_not_swept_away_untold() throws Exception {
        takenOver(
                Contract.none(),
                call("touch begun; " + UNTIL_GO),
                () -> goOnAs(new Start("other-host", "2", "another-boot")));
        var folders = new Folders(List.of(root.resolve("commands")), new Start("this-host", "1", "this-boot"));
        var told = folders.ends();
        Files.createFile(root.resolve("go"));
        untilEndedIn("this-host.1.this-boot");
        folders.sweep(told, identity -> true);
        var next = folders.ends();
        assertThat(next).as("it is still to be told").hasSize(1);
        folders.sweep(next, identity -> true);
        assertThat(folders.ends()).isEmpty();
    }
}
