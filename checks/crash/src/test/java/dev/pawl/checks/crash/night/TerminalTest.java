package dev.pawl.checks.crash.night;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person sees at a terminal, narrow or wide: {@code script} makes one. */
class TerminalTest {
    private static final Path PAWL = Path.of(System.getProperty("pawl.root")).resolve("pawl");
    private static final String ESCAPES = "\u001b\\[[0-9;?]*[A-Za-z]";

    /** Where one night was run, for all who look at one afterwards. */
    @TempDir
    private static Path once;

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private Shell shell;

    @BeforeAll
    static void runANight() throws Exception {
        rows(once);
        assertThat(new Shell(PAWL, once)
                        .run(
                                "night",
                                "batch",
                                "run",
                                "rows.jsonl",
                                "--name",
                                "nightly",
                                "--key",
                                "slug",
                                "--",
                                "./publish.sh")
                        .code())
                .isEqualTo(1);
    }

    @BeforeEach
    void rows() throws Exception {
        shell = new Shell(PAWL, folder);
        rows(folder);
    }

    private static void rows(Path folder) throws Exception {
        Files.writeString(
                folder.resolve("rows.jsonl"),
                List.of("good", "bad", "doubtful").stream()
                        .map(slug -> "{\"slug\":\"" + slug + "-and-an-article-of-quite-a-long-name\"}\n")
                        .collect(Collectors.joining()));
        new Shell(PAWL, folder).script("publish.sh", """
                #!/bin/sh
                case $PAWL_JOB in
                  */bad*) echo "the reason is a long story, told at length to whoever reads it on a screen that is wide enough for all of it"; exit 65 ;;
                  */doubtful*) exit 79 ;;
                esac
                sleep 0.5
                """);
    }

    /** Types a command at a terminal of so many columns. */
    private Process typed(int columns, Map<String, String> environment, String words) throws IOException {
        var typed = "stty cols " + columns + " rows 40; exec " + PAWL + " " + words;
        // Whoever runs the tests in the background has them ignore interrupts, and all that they start.
        var builder = new ProcessBuilder("env", "--default-signal=INT", "script", "-qec", typed, "/dev/null")
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().put("PAWL_STORE", folder.resolve("pawl.db").toString());
        builder.environment().put("TERM", "xterm");
        builder.environment().put("SHELL", "/bin/sh");
        builder.environment().remove("NO_COLOR");
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Types a command and answers what it asks; returns what is seen. */
    private String seen(int columns, Map<String, String> environment, String answer, String words) throws Exception {
        var process = typed(columns, environment, words);
        process.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        var seen = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return seen.replace("\r\n", "\n");
    }

    private void until(String file) {
        while (!Files.exists(folder.resolve(file))) {
            Thread.onSpinWait();
        }
    }

    private String seen(int columns, String words) throws Exception {
        return seen(columns, Map.of(), "", words);
    }

    /** What a night has left, in this test's own folder. */
    private void night() throws IOException {
        try (var files = Files.walk(once)) {
            for (var file : files.toList()) {
                var here = folder.resolve(once.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(here);
                } else {
                    Files.copy(file, here, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    private static List<Integer> widths(String seen) {
        return seen.lines()
                .map(line -> line.replaceAll(ESCAPES, ""))
                .map(line -> line.codePointCount(0, line.length()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 200})
    void a_run_shows_how_far_it_is_and_leaves_a_clean_line(int columns) throws Exception {
        var seen = seen(columns, "batch run rows.jsonl --name nightly --key slug -- ./publish.sh");
        assertThat(seen).contains("nightly", "0% [", "0/3");
        for (var shown : seen.split("[\r\n]+")) {
            if (shown.contains("% [")) {
                assertThat(shown.length()).as(shown).isLessThan(columns);
            }
        }
        assertThat(seen.lines()).anyMatch(line -> line.startsWith("batch=nightly done=1 skipped=0 failed=1 paused=1"));
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 200})
    void lists_fit_the_screen_and_states_have_their_colours(int columns) throws Exception {
        night();
        var jobs = seen(columns, "jobs");
        assertThat(widths(jobs)).allMatch(width -> width <= columns);
        assertThat(jobs).contains("\u001b[32mDONE\u001b[0m", "\u001b[31mFAILED\u001b[0m", "\u001b[33mPAUSED\u001b[0m");
        assertThat(jobs.contains("wide enough for all of it")).isEqualTo(columns == 200);
        var failed =
                jobs.lines().filter(line -> line.contains("FAILED")).findFirst().orElseThrow();
        var show = seen(columns, "show nightly/bad-and-an-article-of-quite-a-long-name");
        assertThat(show.lines().filter(line -> line.matches("\\d\\d-\\d\\d .*")))
                .allMatch(line -> line.length() <= columns);
        assertThat(show).contains("pawl retry nightly/bad-and-an-article-of-quite-a-long-name --note WHY");
        assertThat(failed.endsWith("…")).isEqualTo(columns == 80);
        var status = seen(columns, "status");
        assertThat(status.lines().filter(line -> line.startsWith("  nightly/")))
                .isNotEmpty()
                .allMatch(line -> line.length() <= columns);
    }

    @Test
    void whoever_wants_no_colours_sees_none_and_a_pipe_never_does() throws Exception {
        night();
        assertThat(seen(80, Map.of("NO_COLOR", "1"), "", "jobs")).doesNotContain("\u001b");
        assertThat(seen(80, Map.of("TERM", "dumb"), "", "jobs")).doesNotContain("\u001b");
        assertThat(shell.run("jobs", "jobs").out())
                .doesNotContain("\u001b", "…")
                .contains("wide enough for all of it");
    }

    @Test
    void an_interrupt_leaves_a_clean_screen_and_a_command_that_goes_on() throws Exception {
        shell.script(
                "publish.sh",
                "#!/bin/sh\necho >> began; while ! test -e go; do sleep 0.1; done; echo $PAWL_KEY >> ended\n");
        var words = "batch run rows.jsonl --name nightly --key slug -- ./publish.sh";
        var process = typed(80, Map.of(), words);
        until("began");
        process.getOutputStream().write(3);
        process.getOutputStream().flush();
        var seen = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(seen).isEqualTo(75);
        var last = seen.lines().reduce("", (before, line) -> line).strip();
        assertThat(last)
                .startsWith("batch=nightly done=0 skipped=0 failed=0 paused=0 waiting=3")
                .doesNotContain("\u001b");
        assertThat(seen).doesNotContain("Exception");
        Files.createFile(folder.resolve("go"));
        var again = seen(80, words);
        assertThat(again).contains("done=3");
        assertThat(Files.readAllLines(folder.resolve("ended"))).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void decide_says_what_will_happen_and_asks() throws Exception {
        night();
        var decide = "decide nightly/doubtful-and-an-article-of-quite-a-long-name done --result null --note looked";
        var no = seen(200, Map.of(), "n\n", decide);
        assertThat(no).contains("asks about run", "done: ", "do that? [y/N]", "nothing was done");
        assertThat(seen(200, "jobs --state paused")).contains("doubtful");
        var yes = seen(200, Map.of(), "y\n", decide);
        assertThat(yes).contains("do that? [y/N]", ": done, by ");
        assertThat(seen(200, "jobs --state paused")).doesNotContain("doubtful");
    }

    @Test
    void resubmit_lists_what_happens_again() throws Exception {
        night();
        var good = "nightly/good-and-an-article-of-quite-a-long-name";
        var seen = seen(200, Map.of(), "\n", "resubmit " + good + " --note again");
        assertThat(seen).contains("these effects have happened, and happen again: run", "nothing was done");
        var piped = shell.run("again", "resubmit", good, "--note", "again");
        assertThat(piped.err()).contains("these effects have happened, and happen again: run");
        assertThat(piped.out()).contains(good + ": resubmitted by ");
    }
}
