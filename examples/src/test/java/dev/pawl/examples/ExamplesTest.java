package dev.pawl.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.testkit.postgres.PostgresServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every example runs and says what it should. */
class ExamplesTest {

    @TempDir
    private Path folder;

    static Stream<Arguments> examples() {
        return Stream.of(
                Arguments.of(DailyPullRequest.class, """
                        pull request 116
                        pull request 116
                        opened 1 in all
                        """),
                Arguments.of(FenceAtTheEdge.class, """
                        shipped by somebody else, 1 in all
                        and the first one, late: refused, fence 1 is old
                        shipped 1 in all
                        """),
                Arguments.of(VerifyAfterACrash.class, """
                        job order/7, crashed MANY times
                          1   effect pay
                          1   a payment for the lamp
                        """),
                Arguments.of(MakeAmends.class, """
                        cancelled the flight to Lisbon
                        """),
                Arguments.of(TryAgain.class, """
                        job report/2026-04 failed at fetch: IllegalStateException: the service is down; mend it and run "pawl retry report/2026-04 --note WHY --store FILE"
                        report for April after 4 calls
                        """),
                Arguments.of(YourOwnTable.class, """
                        balance 50
                        balance 50
                        """),
                Arguments.of(OrderAndJobTogether.class, """
                        shipped the chair
                        is there a job for the lamp? false
                        """),
                Arguments.of(CallAService.class, """
                        charge under key of 32 digits
                        charge under key of 32 digits
                        charged
                        """),
                Arguments.of(ChangeTheCode.class, """
                        mail to Anna
                        failed, and kept
                        sent, counted
                        """),
                Arguments.of(ChangeTheVersion.class, """
                        charged for a lamp
                        lamp is on its way
                        billed for a chair
                        chair is on its way
                        """),
                Arguments.of(HearOfAttempts.class, """
                        look-up 1: FAILED, IllegalStateException: the service is down
                        look-up 2: DONE
                        write 1: DONE
                        Fences: three facts
                        """),
                Arguments.of(StoreOfYourOwn.class, """
                        night 1: done
                        night 2: only asked
                        """),
                Arguments.of(RowsTogether.class, """
                        [ENROLLED, ENROLLED, ENROLLED]
                        3 rows were sent
                        r1 [SETTLED]
                        r2 [SETTLED]
                        r3 [SETTLED]
                        [ALREADY, ALREADY, ALREADY]
                        SUCCEEDED  2
                        PERMANENT blocked 1
                        """),
                Arguments.of(ManyAtOnce.class, """
                        fences: All about Fences
                        keys: All about Keys
                        leases: All about Leases
                        3 posts
                        """),
                Arguments.of(WaitForAWebhook.class, """
                        shipped the lamp for 4900 cents
                        """),
                Arguments.of(AskFirst.class, """
                        job press-release/fences asks about publish: Publish "We are proud of our fences."?
                          pawl decide press-release/fences approve --note WHY --store FILE    yes: it is done, once, with exactly this request
                          pawl decide press-release/fences deny --note WHY --store FILE    no: the workflow gets a failure
                        If nobody answers in time, it counts as a no.
                        publishing: We are proud of our fences.
                        https://example.org/press/1
                        """),
                Arguments.of(CallAnotherJob.class, """
                        translating Fences
                        Zäune / Zäune
                        """),
                Arguments.of(CallItOff.class, """
                        prepared the spring mail
                        job campaign/spring was called off
                        """),
                Arguments.of(CallTools.class, """
                        Anna has mail about fences and leases.
                        1 mail
                        conversation@task
                        conversation@reply-1
                        tool@1.0/search
                        conversation@tool-1.0
                        tool@1.1/mail
                        conversation@tool-1.1
                        conversation@reply-2
                        """),
                Arguments.of(AwaitElsewhere.class, """
                        it is looked at
                        an article about fences
                        ended there
                        job article/everything was called off
                        """),
                Arguments.of(WhatItCost.class, """
                        36 bytes
                        conversation@draft, attempt 1: 0.00744USD
                        conversation@draft, attempt 2: 0.00744USD
                        in all 0.01488USD
                        """),
                Arguments.of(StopAtTheBudget.class, """
                        reading page 1 about fences
                        reading page 2 about fences
                        it waits at budget/job/research/fences
                        spent 0.66USD
                        reading page 3 about fences
                        3 pages
                        """),
                Arguments.of(LookAround.class, """
                        9 things happened
                        page/Leases came last; there are more: true
                        3 DONE
                        page/Keys resumes from write
                        2 pruned
                        job page/Fences was done, and is not done again; its result was pruned
                        """),
                Arguments.of(TestYourWorkflow.class, """
                        WAITING
                        reminded Anna
                        WOULD_DO remind-again
                        """),
                Arguments.of(OnWhoseBehalf.class, """
                        anna's account posts "hello" for anna
                        taken: false
                        bruno's account posts "ciao" for bruno
                        """),
                Arguments.of(CrashYourWorkflow.class, """
                        job welcome/1, crashed MANY times
                          2+  a mail to Anna                 WRONG, crashed before mail was recorded
                        job welcome/1, crashed MANY times
                          1   effect mail
                          1   a mail to Anna
                        """),
                Arguments.of(FewAtOnce.class, """
                        first 5, at most 1 at once
                        """),
                Arguments.of(AskBeforeRepeating.class, """
                        posting Release 1 is out
                        job announce/release-1 asks about post: attempt 1 may have happened, and can still land until WHEN; the effect has no contract; \
                        it ended with: IllegalStateException: the connection broke after the request was sent
                          pawl decide announce/release-1 done --result JSON --note WHY --store FILE    it happened: the effect is recorded with --result, and the job goes on
                          pawl decide announce/release-1 retry --note WHY --store FILE    it did not happen: it is done again, once no earlier attempt can still land (--even-now: at once)
                          pawl decide announce/release-1 skip --note WHY --store FILE    nobody knows, and the job goes on with null as the result
                          pawl decide announce/release-1 fail --note WHY --store FILE    nobody knows, and the workflow gets a failure
                        If nobody answers, the job stays paused and nothing is done.
                        announced at https://example.org/1
                        """));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void every_example_runs_and_says_what_it_should(Class<?> example, String expected) throws Exception {
        var said = new ByteArrayOutputStream();
        var before = System.out;
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            run(example);
        } finally {
            System.setOut(before);
        }
        assertThat(said.toString(StandardCharsets.UTF_8)
                        .replaceAll("until [^;\\n]+;", "until WHEN;")
                        .replaceAll("crashed [0-9]+ times", "crashed MANY times")
                        .replaceAll("--store [^ \"]+", "--store FILE"))
                .isEqualTo(expected);
    }

    private void run(Class<?> example) throws Exception {
        var main = example.getMethod("main", String[].class);
        if (example.equals(OrderAndJobTogether.class)) {
            try (var server = PostgresServer.start()) {
                main.invoke(null, (Object) new String[] {server.url()});
            }
        } else {
            main.invoke(
                    null, (Object) new String[] {folder.resolve("example.db").toString()});
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void every_example_says_what_arguments_it_wants(Class<?> example, String unused) throws Exception {
        if (Files.readString(Path.of("src/main/java/dev/pawl/examples", example.getSimpleName() + ".java"))
                .matches("(?s).*(StoreFile.of\\(arguments|arguments\\[0).*")) {
            var main = example.getMethod("main", String[].class);
            assertThatExceptionOfType(InvocationTargetException.class)
                    .isThrownBy(() -> main.invoke(null, (Object) new String[0]))
                    .havingCause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .withMessageStartingWith("give the ");
        }
    }

    @Test
    void no_example_is_left_out() throws IOException {
        try (var files = Files.list(Path.of("src/main/java/dev/pawl/examples"))) {
            assertThat(files.filter(file -> !file.endsWith("package-info.java") && !file.endsWith("StoreFile.java")))
                    .hasSize((int) examples().count());
        }
    }

    @Test
    void the_guides_snippets_are_cut_from_examples() throws IOException {
        var sources = new StringBuilder();
        // What stands in an application's test is compiled and run like an example.
        var starter = Path.of("../integrations/spring-boot-starter/src/test/java/dev/pawl/spring");
        for (var folder : List.of(Path.of("src/main/java/dev/pawl/examples"), starter)) {
            try (var files = Files.list(folder)) {
                for (var file : files.toList()) {
                    sources.append(flat(Files.readString(file)));
                }
            }
        }
        var snippets = 0;
        try (var pages = Files.list(Path.of("../docs/guide"))) {
            for (var page : pages.toList()) {
                var matcher =
                        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(page));
                while (matcher.find()) {
                    snippets++;
                    assertThat(sources.toString()).as(page.toString()).contains(flat(matcher.group(1)));
                }
            }
        }
        assertThat(snippets).isGreaterThan(4);
    }

    private static String flat(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n", "", "\n"));
    }

    @Test
    void the_readmes_snippet_is_cut_from_an_example() throws IOException {
        var source = Files.readString(Path.of("src/main/java/dev/pawl/examples/DailyPullRequest.java"));
        var start = source.indexOf("// tag::readme[]\n") + "// tag::readme[]\n".length();
        var end = source.indexOf("    // end::readme[]");
        var snippet = source.substring(start, end).stripTrailing().stripIndent() + "\n";
        assertThat(Files.readString(Path.of("../README.md"))).contains("```java\n" + snippet + "```");
    }

    @Test
    void what_the_docs_show_of_shells_and_flows_is_cut_from_the_examples() throws Exception {
        var shell = Path.of("shell");
        var line = Files.readAllLines(shell.resolve("nightly/run.sh")).getLast();
        assertThat(Files.readString(Path.of("../README.md"))).contains("```console\n$ " + line + "\n");
        assertThat(Files.readString(Path.of("../docs/guide/commands.md"))).contains("```console\n$ " + line + "\n");
        assertThat(Files.readString(Path.of("../docs/guide/flows.md")))
                .contains("```yaml\n" + Files.readString(shell.resolve("blog-pr/daily-blog-pr.yaml")) + "```");
    }
}
