package dev.pawl.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pawl.guard.Guard.TryResult;
import dev.pawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who holds a guard is alive. */
class GuardTest {

    @TempDir
    private Path folder;

    private TryResult take(String name) throws IOException {
        return Guard.take(folder, name, "the test", Time.system());
    }

    private static Process holder(Path folder, String name) throws IOException {
        return holder(HoldsAGuard.class, folder, name);
    }

    private static Process holder(Class<?> how, Path folder, String name) throws IOException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        how.getName(),
                        folder.toString(),
                        name)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(process.inputReader().readLine()).isEqualTo("held");
        return process;
    }

    @Test
    void one_has_it_and_others_are_told_who_and_since_when() throws Exception {
        var before = Time.system().now();
        var other = holder(folder, "nightly");
        try {
            var taken = (TryResult.Taken) take("nightly");
            assertThat(taken.by().who()).isEqualTo("another one");
            assertThat(taken.by().since()).isAfterOrEqualTo(before);
            ((TryResult.Ours) take("daily")).guard().close();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void a_guard_is_its_owners_alone_unless_its_folder_was_opened_to_a_group() throws Exception {
        var guards = folder.resolve("guards");
        for (var mode : List.of("rwx------", "rwxrwx---")) {
            ((TryResult.Ours) Guard.take(guards, mode, "the test", Time.system()))
                    .guard()
                    .close();
            if (mode.equals("rwx------")) {
                assertThat(modes(guards)).isEqualTo(mode);
                Files.setPosixFilePermissions(guards, PosixFilePermissions.fromString("rwxrwx---"));
            }
        }
        assertThat(modes(guards)).as("it is not reset").isEqualTo("rwxrwx---");
        try (var files = Files.list(guards)) {
            assertThat(files.map(GuardTest::modes)).containsExactlyInAnyOrder("rw-------", "rw-rw----");
        }
    }

    @Test
    void a_folder_of_an_earlier_state_that_all_may_read_makes_no_guard_that_all_may_lock() throws Exception {
        var guards = Files.createDirectories(folder.resolve("guards"));
        Files.setPosixFilePermissions(guards, PosixFilePermissions.fromString("rwxr-xr-x"));
        ((TryResult.Ours) Guard.take(guards, "g", "the test", Time.system()))
                .guard()
                .close();
        try (var files = Files.list(guards)) {
            assertThat(files.map(GuardTest::modes)).containsExactly("rw-------");
        }
    }

    private static String modes(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_dead_holder_is_taken_over_at_once() throws Exception {
        holder(folder, "nightly").destroyForcibly().waitFor();
        var ours = (TryResult.Ours) take("nightly");
        assertThat(ours.before()).as("what the dead one noted").isEqualTo("a word");
        try (var guard = ours.guard()) {
            assertThatIllegalStateException().isThrownBy(() -> take("nightly"));
            guard.note("another word");
        }
        var last = Guard.last(folder, "nightly").orElseThrow();
        assertThat(last.note()).isEqualTo("another word");
        assertThat(last.holder().who()).isEqualTo("the test");
        assertThat(Guard.last(folder, "daily")).as("nobody had it").isEmpty();
        var again = (TryResult.Ours) take("nightly");
        assertThat(again.before()).isEqualTo("another word");
        again.guard().close();
    }

    /** The clock of the system, on which each wait takes a second and lets {@code meanwhile} happen. */
    private record EachWaitASecond(AtomicInteger waits, IntConsumer meanwhile) implements Time {
        @Override
        public Instant now() {
            return Time.system().now();
        }

        @Override
        public long nanos() {
            return waits.get() * 1_000_000_000L;
        }

        @Override
        public void await(Duration atMost) {
            meanwhile.accept(waits.incrementAndGet());
        }
    }

    @Test
    void whoever_has_just_taken_it_and_not_said_so_yet_is_not_taken_for_the_one_before() throws Exception {
        ((TryResult.Ours) Guard.take(folder, "nightly", "the one before", Time.system()))
                .guard()
                .close();
        var other = holder(LocksSilently.class, folder, "nightly");
        try {
            var waits = new AtomicInteger();
            var time = new EachWaitASecond(waits, many -> {
                if (many == 3) {
                    tell(other);
                }
            });
            var taken = (TryResult.Taken) Guard.take(folder, "nightly", "the test", time);
            assertThat(taken.by().who()).isEqualTo("another one");
            assertThat(waits).hasValue(3);
        } finally {
            other.destroyForcibly();
        }
    }

    private static void tell(Process other) {
        try {
            other.outputWriter().append("x").flush();
            assertThat(other.inputReader().readLine()).isEqualTo("said");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void nor_is_one_whose_process_is_gone_and_whoever_never_says_so_is_not_waited_for_for_ever() throws Exception {
        holder(folder, "nightly").destroyForcibly().waitFor();
        var other = holder(LocksSilently.class, folder, "nightly");
        try {
            var waits = new AtomicInteger();
            var taken =
                    (TryResult.Taken) Guard.take(folder, "nightly", "the test", new EachWaitASecond(waits, many -> {}));
            assertThat(taken.by().who()).as("the last word that there is").isEqualTo("another one");
            assertThat(waits).hasValueBetween(5, 6);
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void a_guard_that_was_left_while_it_was_looked_at_is_taken() throws Exception {
        holder(folder, "nightly").destroyForcibly().waitFor();
        var other = holder(LocksSilently.class, folder, "nightly");
        var time = new EachWaitASecond(new AtomicInteger(), many -> {
            if (many == 2) {
                end(other);
            }
        });
        ((TryResult.Ours) Guard.take(folder, "nightly", "the test", time))
                .guard()
                .close();
    }

    private static void end(Process other) {
        try {
            other.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
