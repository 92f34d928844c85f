package dev.pawl.cli;

import static dev.pawl.effect.Contract.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.JobFailed;
import dev.pawl.JobPaused;
import dev.pawl.Pawl;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.retry.PermanentFailure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person types in the morning. */
class CommandsTest {

    private static final Workflow<String, String> W = Workflow.named("announce", String.class, String.class);

    @TempDir
    private Path folder;

    private String out = "";
    private String err = "";

    @BeforeEach
    void aNightThatAsksAndFails() throws InterruptedException {
        try (var pawl = Pawl.open(store())) {
            work(pawl);
            var asks = pawl.submit(W, Key.of("asks"), "asks");
            var fails = pawl.submit(W, Key.of("fails"), "fails");
            assertThatExceptionOfType(JobPaused.class).isThrownBy(asks::join);
            assertThatExceptionOfType(JobFailed.class).isThrownBy(fails::join);
        }
    }

    private static void work(Pawl pawl) {
        pawl.work(W.implementedBy((job, input) -> {
            if (input.equals("fails")) {
                throw new PermanentFailure("no luck");
            }
            return job.effect("post", none(), input, String.class, (request, a) -> {
                throw new IllegalStateException("no answer");
            });
        }));
    }

    private Path store() {
        return folder.resolve("pawl.db");
    }

    private int pawl(String... words) {
        var arguments = new ArrayList<>(List.of(words));
        arguments.add("--store=" + store());
        var said = new ByteArrayOutputStream();
        var complained = new StringWriter();
        var before = System.out;
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            return Main.commandLine().setErr(new PrintWriter(complained)).execute(arguments.toArray(String[]::new));
        } finally {
            System.setOut(before);
            out = said.toString(StandardCharsets.UTF_8);
            err = complained.toString();
        }
    }

    @Test
    void the_commands_that_a_question_names_work() throws InterruptedException {
        assertThat(pawl("jobs", "--state", "paused,failed")).isZero();
        assertThat(out).isEqualTo("PAUSED    announce/asks\nFAILED    announce/fails\n");
        assertThat(pawl("show", "announce/asks")).isZero();
        assertThat(out)
                .contains("announce/asks is PAUSED")
                .contains("pawl decide announce/asks done --result JSON --note WHY --store " + store());

        assertThat(pawl("decide", "announce/asks", "done", "--result", "\"url\"", "--note", "I see it", "--by", "anna"))
                .isZero();
        assertThat(pawl("retry", "announce/fails", "--note", "mended")).isZero();
        try (var again = Pawl.open(store())) {
            work(again);
            assertThat(again.submit(W, Key.of("asks"), "asks").join()).isEqualTo("url");
            assertThatExceptionOfType(JobFailed.class)
                    .isThrownBy(() -> again.submit(W, Key.of("fails"), "fails").join());
        }
        assertThat(pawl("discard", "announce/fails", "--note", "not worth it")).isZero();
        assertThat(pawl("resubmit", "announce/asks", "--note", "again, please")).isZero();
        assertThat(pawl("jobs")).isZero();
        assertThat(out).isEqualTo("READY     announce/asks\nCANCELLED announce/fails\n");
    }

    @Test
    void a_wrong_call_is_one_sentence_and_no_stack_trace() {
        assertThat(pawl("show", "announce/nobody")).isEqualTo(2);
        assertThat(err).isEqualTo("pawl: there is no job announce/nobody; \"pawl jobs\" lists them\n");
        assertThat(pawl("decide", "announce/asks", "approve", "--note", "x")).isEqualTo(2);
        assertThat(pawl("decide", "announce/fails", "retry", "--note", "x")).isEqualTo(1);
        assertThat(err).contains("is FAILED and asks nothing");
        assertThat(pawl("retry", "announce/asks", "--note", "x")).isEqualTo(1);
        assertThat(err).contains("is PAUSED; only a job that is FAILED can be retried");
        assertThat(pawl("decide", "announce/asks", "retry"))
                .as("a note is wanted")
                .isEqualTo(2);
    }

    @Test
    void looking_never_makes_a_store() {
        var nowhere = folder.resolve("nowhere.db");
        assertThat(Main.commandLine()
                        .setErr(new PrintWriter(new StringWriter()))
                        .execute("jobs", "--store=" + nowhere))
                .isEqualTo(2);
        assertThat(Files.exists(nowhere)).isFalse();
    }
}
