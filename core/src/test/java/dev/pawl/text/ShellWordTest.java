package dev.pawl.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.event.Event;
import dev.pawl.event.EventField;
import dev.pawl.event.EventKind;
import dev.pawl.gate.Gate;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is printed to be typed is pasted into a real shell. */
class ShellWordTest {
    /** What a shell would take for something else. */
    private static final List<String> HOSTILE = List.of(
            "$(touch PWNED)",
            "`touch PWNED`",
            "a'; touch PWNED; '",
            "a\\'; touch PWNED; \\'",
            "\"$(touch PWNED)\"",
            "a b  c",
            "a;touch PWNED",
            "a&touch PWNED",
            "a|touch PWNED>PWNED",
            "-rf",
            "--store=elsewhere",
            "~",
            "=ls",
            "#no",
            "*?[a-z]{a,b}",
            "!!",
            "%25 %s \\n",
            "caf\u00e9 \u65e5\u672c \ud83d\ude00",
            "caf\u00e9",
            "a\u00a0b\u3000c",
            "right\u202Eleft\u2066\u200b\ufeff",
            "\ud834\udd73",
            "plain-1.2/3:4,5+6@7=8");

    /** What names of files may hold too. */
    private static final List<String> LINES = List.of(
            "",
            "a\nb",
            "\na",
            "a\n",
            "a'\u001b[31m$(touch PWNED)\n\n",
            "\n\n",
            "a\u007fb",
            "\t",
            "\r",
            "%\u0007\\",
            "-v\u0007",
            "--\u001b");

    @TempDir
    private Path folder;

    /** The words that a shell reads in {@code words}. */
    private List<String> read(String words) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("script"), "pawl() { printf '%s\\0' \"$@\"; }\npawl " + words + "\n");
        var shell = new ProcessBuilder("sh", "script")
                .directory(folder.toFile())
                .redirectError(folder.resolve("errors").toFile())
                .redirectOutput(folder.resolve("words").toFile())
                .start();
        assertThat(shell.waitFor()).isZero();
        assertThat(folder.resolve("PWNED")).doesNotExist();
        assertThat(folder.resolve("errors")).isEmptyFile();
        var text = Files.readString(folder.resolve("words"), StandardCharsets.UTF_8);
        return List.of(text.substring(0, text.length() - 1).split("\0", -1));
    }

    private static String pasted(List<String> words) {
        return words.stream().map(ShellWord::of).collect(Collectors.joining(" "));
    }

    @Test
    void a_shell_reads_back_whatever_was_quoted() throws IOException, InterruptedException {
        assertThat(read(pasted(HOSTILE))).isEqualTo(HOSTILE);
        assertThat(read(pasted(LINES))).isEqualTo(LINES);
        assertThat(ShellWord.of("plain-1.2/3:4,5+6@7=8")).isEqualTo("plain-1.2/3:4,5+6@7=8");
        assertThat(ShellWord.of("a b")).isEqualTo("'a b'");
        assertThat(pasted(HOSTILE).codePoints()).noneMatch(Visible::isHidden);
    }

    @Test
    void a_jobs_name_is_one_plain_word_that_names_it() throws IOException, InterruptedException {
        for (var part : HOSTILE) {
            var job = new Identity("w", Key.of(part, "x"));
            assertThat(ShellWord.isPlain(job.toString())).as(job.toString()).isTrue();
            assertThat(Identity.parse(job.toString())).isEqualTo(job);
        }
        var all = HOSTILE.stream()
                .map(part -> new Identity("w", Key.of("x", part)).toString())
                .toList();
        assertThat(read(String.join(" ", all))).isEqualTo(all);
    }

    @Test
    void a_command_that_a_question_a_gate_or_an_event_prints_runs_that_command_and_nothing_else()
            throws IOException, InterruptedException {
        for (var part : HOSTILE) {
            var job = new Identity("w", Key.of(part));
            var question = new Question(1, QuestionKind.IN_DOUBT, new Place("", "post", part), "nobody knows");
            var line = question.text(job, "").lines().skip(1).findFirst().orElseThrow();
            assertThat(read(line.strip().split("    ", 2)[0].substring("pawl ".length())))
                    .containsExactly("decide", job.toString(), "done", "--result", "JSON", "--note", "WHY");
            var event = Event.of(Instant.EPOCH, EventKind.ASKS).with(EventField.NEXT, "pawl show " + job);
            var field = event.line().substring(event.line().indexOf("next=\"") + 6);
            assertThat(read(field.substring("pawl ".length(), field.length() - 1)))
                    .containsExactly("show", job.toString());
            var name = "budget/" + part;
            var gate = Gate.closed(name, Gate.Cause.BUDGET, new Gate.Closing("spent", Instant.EPOCH, null));
            var opens = gate.text(1, "").lines().skip(1).findFirst().orElseThrow();
            assertThat(read(opens.strip().split("    ", 2)[0].substring("pawl ".length())))
                    .containsExactly("open", name, "--note", "WHY");
        }
    }
}
