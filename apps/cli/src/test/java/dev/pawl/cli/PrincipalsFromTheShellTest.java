package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.job.JobState;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On whose behalf jobs are submitted, and on whose behalf they are taken, is said with the command. */
@Timeout(120)
class PrincipalsFromTheShellTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void flows() throws IOException {
        Files.writeString(folder.resolve("flow.yaml"), flow(""));
        Files.writeString(folder.resolve("annas.yaml"), flow("principal: anna"));
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
    }

    private static String flow(String principal) {
        return """
                workflow: w
                key: [input.id]
                %s
                steps:
                  - step: look
                    run: cat
                """.formatted(principal);
    }

    private String at(String file) {
        return folder.resolve(file).toString();
    }

    private Typing pawl(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add(all.contains("--") ? all.indexOf("--") : all.size(), "--store=" + at("pawl.db"));
        return Typing.of(all.toArray(String[]::new));
    }

    private static JobState state(Pawl pawl, int id) {
        return pawl.find(new Identity("w", Key.of(id))).orElseThrow().state();
    }

    @Test
    void whoever_works_for_anna_takes_what_was_submitted_as_anna_and_nothing_else() throws InterruptedException {
        assertThat(pawl("submit", at("flow.yaml"), "--input", "{\"id\":1}", "--as", "bruno")
                        .code())
                .isZero();
        assertThat(pawl("submit", at("flow.yaml"), "--input", "{\"id\":2}").code())
                .isZero();
        assertThat(pawl("submit", at("flow.yaml"), "--input", "{\"id\":3}", "--as", "anna")
                        .code())
                .isZero();
        var ended = new CompletableFuture<Typing>();
        var worker = Thread.ofPlatform()
                .start(() -> ended.complete(pawl(
                        "work", at("flow.yaml"), "-j", "1", "--principal", "anna", "--term", "5s", "--grace", "1s")));
        try (var look = Pawl.openOrCreate(folder.resolve("pawl.db"))) {
            while (state(look, 3) != JobState.DONE && !ended.isDone()) {
                Time.system().await(Duration.ofMillis(20));
            }
            worker.interrupt();
            assertThat(ended.join().code()).as(ended.join().toString()).isZero();
            assertThat(state(look, 3)).isEqualTo(JobState.DONE);
            assertThat(List.of(state(look, 1), state(look, 2)))
                    .as("older, and not for anna")
                    .containsOnly(JobState.READY);
        }
        assertThat(pawl("show", "w/3").out()).contains("anna");
    }

    @Test
    void whoever_submits_what_it_may_not_take_is_told_at_once() {
        var typed = pawl("run", at("flow.yaml"), "--input", "{\"id\":1}", "--principal", "anna");
        assertThat(typed.code()).isEqualTo(2);
        assertThat(typed.err())
                .contains("they act for nobody in particular, and --principal names only anna; say --as NAME");
        assertThat(pawl("run", at("annas.yaml"), "--input", "{\"id\":1}", "--as", "bruno")
                        .err())
                .contains("--as says bruno, and the flow says that its jobs act for anna");
        var batch = new String[] {
            "batch",
            "run",
            at("rows.jsonl"),
            "--name",
            "b",
            "--key",
            "id",
            "--as",
            "bruno",
            "--principal",
            "anna",
            "--",
            "cat"
        };
        assertThat(pawl(batch).err()).contains("they act for bruno, and --principal names only anna");
        assertThat(folder.resolve("pawl.db")).doesNotExist();
        batch[10] = "bruno";
        assertThat(pawl(batch).out()).contains("done=1");
        assertThat(pawl("show", "b/1").out()).contains("bruno");
        assertThat(pawl("run", at("annas.yaml"), "--input", "{\"id\":1}", "--principal", "anna,bruno")
                        .code())
                .isZero();
    }
}
