package dev.pawl.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.command.Folder.Sight;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a folder tells of its attempt, whoever died at which moment. */
class FolderTest {
    private static final Exit DONE = new Exit(0, false, Duration.ofMillis(1_234), 99, "a remark of two words");

    @TempDir
    private Path root;

    @SuppressWarnings("NullAway.Init")
    private Folder folder;

    @BeforeEach
    void name() {
        folder = Folder.at(root.resolve("key").resolve("1"));
    }

    private Order order() {
        return new Order(
                List.of("echo", "two words", "ü \n $HOME"), root, Map.of("PAWL_KEY", "k=v"), Duration.ofMinutes(1));
    }

    private void prepare() throws IOException {
        folder.prepare(order(), new byte[] {1, 2});
    }

    @Test
    void an_order_reads_back_and_no_shell_reads_it() throws IOException {
        prepare();
        assertThat(folder.order()).isEqualTo(order());
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Order.of("other\0".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void what_cannot_be_run_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Order(List.of(), root, Map.of(), Duration.ofSeconds(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Order(List.of(" "), root, Map.of(), Duration.ofSeconds(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Order(List.of("a", "b\0"), root, Map.of(), Duration.ofSeconds(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Order(List.of("a"), root, Map.of("A=B", ""), Duration.ofSeconds(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Order(List.of("a"), root, Map.of("", ""), Duration.ofSeconds(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Order(List.of("a"), root, Map.of(), Duration.ZERO));
    }

    @Test
    void a_folder_is_prepared_once() throws IOException {
        assertThat(folder.look()).isEqualTo(new Sight.Absent());
        prepare();
        assertThat(folder.look()).isEqualTo(new Sight.Prepared());
        assertThatExceptionOfType(FileAlreadyExistsException.class).isThrownBy(this::prepare);
        try (var files = Files.list(root.resolve("key"))) {
            assertThat(files).as("nothing half prepared is left").hasSize(1);
        }
        folder.remove();
        folder.remove();
        assertThat(folder.look()).isEqualTo(new Sight.Absent());
    }

    @Test
    void whoever_died_before_it_said_that_it_starts_has_not_started() throws IOException {
        prepare();
        folder.hold().close();
        assertThat(folder.look()).isEqualTo(new Sight.Prepared());
        assertThat(folder.abandon()).isTrue();
        assertThat(folder.abandon()).as("said again").isTrue();
        assertThat(folder.look()).isEqualTo(new Sight.Abandoned());
        try (var late = folder.hold()) {
            assertThat(late.lock().isValid()).isTrue();
            assertThat(folder.start()).as("too late").isFalse();
        }
    }

    @Test
    void whoever_minds_it_is_seen_and_whoever_died_minding_it_leaves_a_doubt() throws IOException {
        prepare();
        try (var held = folder.hold()) {
            assertThat(held.lock().isValid()).isTrue();
            assertThat(folder.start()).isTrue();
            assertThat(folder.look()).isEqualTo(new Sight.Running());
            assertThat(folder.abandon()).isFalse();
        }
        assertThat(folder.look()).isEqualTo(new Sight.Lost());
    }

    @Test
    void what_is_only_prepared_is_given_up_by_whoever_wants_to_know_whether_it_goes_on() throws IOException {
        prepare();
        assertThat(folder.goesOn()).isFalse();
        assertThat(folder.look()).isEqualTo(new Sight.Abandoned());
        assertThat(folder.job()).isEmpty();
        folder.remove();
        prepare();
        try (var held = folder.hold()) {
            assertThat(held.lock().isValid() && folder.start()).isTrue();
            assertThat(folder.goesOn()).isTrue();
        }
        assertThat(folder.goesOn()).isFalse();
    }

    @Test
    void an_end_is_known_from_the_moment_it_is_written() throws IOException {
        prepare();
        try (var held = folder.hold()) {
            assertThat(held.lock().isValid()).isTrue();
            folder.start();
            folder.end(DONE);
            assertThat(folder.look()).as("although it is still held").isEqualTo(new Sight.Ended(DONE));
        }
        assertThat(folder.look()).isEqualTo(new Sight.Ended(DONE));
    }

    /** Found by killed processes: who looked at the lock first took a command that was just being started for one whose minder had died. */
    @Test
    void a_command_that_is_started_and_ended_while_somebody_looks_is_never_lost() throws Exception {
        try (var threads = Executors.newFixedThreadPool(1)) {
            for (var round = 0; round < 300; round++) {
                var quick = Folder.at(root.resolve("quick-" + round).resolve("1"));
                quick.prepare(order(), new byte[0]);
                var minding = threads.submit(() -> {
                    try (var held = quick.hold()) {
                        assertThat(held.lock().isValid()).isTrue();
                        quick.start();
                        quick.end(DONE);
                    }
                    return true;
                });
                var sight = quick.look();
                while (!(sight instanceof Sight.Ended)) {
                    assertThat(sight).isNotInstanceOf(Sight.Lost.class);
                    sight = quick.look();
                }
                assertThat(minding.get()).isTrue();
            }
        }
    }

    @Test
    void half_a_record_is_none() {
        var bytes = DONE.bytes();
        for (var length = 0; length < bytes.length; length++) {
            assertThat(Exit.of(Arrays.copyOf(bytes, length)))
                    .as("the first " + length + " bytes")
                    .isNull();
        }
        assertThat(Exit.of(Arrays.copyOf(bytes, Exit.ROOM)))
                .as("with room behind it")
                .isEqualTo(DONE);
        bytes[bytes.length - 1]++;
        assertThat(Exit.of(bytes)).isNull();
        var long501 = new Exit(3, true, Duration.ZERO, 0, "x".repeat(501));
        assertThat(Exit.of(long501.bytes())).isEqualTo(new Exit(3, true, Duration.ZERO, 0, "x".repeat(500)));
        assertThat(Exit.of(new Exit(3, true, Duration.ZERO, 0, null).bytes()))
                .extracting(Exit::trouble)
                .isNull();
    }

    @Test
    void of_those_who_start_and_those_who_give_up_one_wins() throws Exception {
        try (var threads = Executors.newFixedThreadPool(4)) {
            for (var round = 0; round < 200; round++) {
                var contended = Folder.at(root.resolve("round-" + round).resolve("1"));
                contended.prepare(order(), new byte[0]);
                var together = new CyclicBarrier(4);
                var tries = new ArrayList<Future<Boolean>>();
                for (var i = 0; i < 4; i++) {
                    var starts = i < 2;
                    tries.add(threads.submit(() -> {
                        together.await();
                        return starts ? contended.start() : contended.abandon();
                    }));
                }
                var started = 0;
                var abandoned = 0;
                for (var i = 0; i < 4; i++) {
                    if (tries.get(i).get()) {
                        started += i < 2 ? 1 : 0;
                        abandoned += i < 2 ? 0 : 1;
                    }
                }
                assertThat(started + Math.min(1, abandoned))
                        .as("one of both, and one starter")
                        .isEqualTo(1);
            }
        }
    }
}
