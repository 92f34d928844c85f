package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pawl.command.Meaning;
import dev.pawl.script.Flow.Command;
import dev.pawl.script.Flow.FlowStep;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a flow's file says, and what is said of one that says none. */
class FlowReaderTest {
    private static final String HEAD = "workflow: w\nkey: [input.id]\n";

    private static Flow read(String text) {
        return FlowReader.read(Path.of("/somewhere/flow.yaml"), text);
    }

    private static List<String> wrong(String text) {
        var mistaken = catchThrowableOfType(FlowMistaken.class, () -> read(text));
        return Objects.requireNonNull(mistaken, () -> "nothing is wrong with\n" + text).problems().stream()
                .map(problem -> problem.text("f"))
                .toList();
    }

    private static void wrong(String text, String... said) {
        var all = wrong(text);
        assertThat(all).as(text).hasSize(said.length);
        for (var i = 0; i < said.length; i++) {
            assertThat(all.get(i)).as(text).contains(said[i]);
        }
    }

    @Test
    void a_flow_says_which_version_it_is_and_which_others_it_runs() {
        var steps = "steps:\n  - step: s\n    run: ./s.sh\n";
        var workflow = FlowCode.workflow(
                read(HEAD + "version: \"2026-11-16\"\nruns: [\"2026-11-02\", v1, \"2026-11-16\"]\n" + steps));
        assertThat(workflow.version()).isEqualTo("2026-11-16");
        assertThat(workflow.fits()).containsExactly("2026-11-16", "2026-11-02", "v1");
        assertThat(FlowCode.workflow(read(HEAD + steps)).fits()).isEmpty();
        wrong(HEAD + "version: \"" + "x".repeat(101) + "\"\n" + steps, "f:3:");
        wrong(HEAD + "runs: [\"" + "x".repeat(101) + "\"]\n" + steps, "runs: ");
    }

    @Test
    void everything_that_a_flow_can_say() {
        var flow = read("""
                workflow: daily-blog-pr
                key: [slot.date, input.site]
                retry: {attempts: 7, backoff: 30s..10m}
                timeout: 20m
                secrets: [GITHUB_TOKEN]
                principal: tenant/a
                budget: {job: 0.50USD, workflow: 100000 tokens}
                steps:
                  - step: write
                    run: ./write.sh
                    stdin: input.text
                    retry: {attempts: 2}
                    was: [draft, text]
                  - effect: push
                    contract: {idempotent: 48h}
                    run: [./push.sh, --text, "${results.write.text}"]
                    env: {BRANCH: "b-${input.site}"}
                    exit: {1: transient, 9: permanent}
                    timeout: 30s
                  - effect: open
                    run: ./open.sh
                    verify: [./find.sh, "${input.site}"]
                    settle: 5m
                  - foreach: pages
                    in: results.write.pages
                    key: item.slug
                    at-once: 2
                    steps:
                      - step: page
                        run: [echo, "${item.slug}"]
                  - sleep: a_while
                    for: 1h
                  - approve: may_announce
                    ask: "Announce ${results.open.url}?"
                    expires: 12h
                  - effect: announce
                    run: ./announce.sh
                """);
        assertThat(flow.name()).isEqualTo("daily-blog-pr");
        assertThat(flow.directory()).isEqualTo(Path.of("/somewhere"));
        assertThat(flow.rules().retry().attempts()).isEqualTo(7);
        assertThat(flow.rules().retry().cap()).isEqualTo(Duration.ofMinutes(10));
        assertThat(flow.rules().budgets()).hasSize(2);
        assertThat(flow.rules().principal()).isEqualTo("tenant/a");
        assertThat(flow.steps())
                .extracting(FlowStep::name)
                .containsExactly("write", "push", "open", "pages", "a_while", "may_announce", "announce");
        var write = (FlowStep.Run) flow.steps().get(0);
        assertThat(write.command()).isEqualTo(new Command.Shell("./write.sh"));
        assertThat(write.terms()).isNull();
        assertThat(write.how().timeout()).isEqualTo(Duration.ofMinutes(20));
        assertThat(write.how().named()).isEqualTo(new Flow.Naming(List.of("draft", "text"), 2));
        var push = (FlowStep.Run) flow.steps().get(1);
        assertThat(push.how().exits()).containsEntry(1, Meaning.TRANSIENT).containsEntry(9, Meaning.PERMANENT);
        assertThat(Objects.requireNonNull(push.terms()).memory()).isEqualTo(Duration.ofDays(2));
        assertThat(push.how().timeout()).isEqualTo(Duration.ofSeconds(30));
        var open = (FlowStep.Run) flow.steps().get(2);
        assertThat(Objects.requireNonNull(open.terms()).verifiable()).isTrue();
        assertThat(open.terms().settle()).isEqualTo(Duration.ofMinutes(5));
        assertThat(flow.programs()).containsExactly("./push.sh", "./find.sh", "echo");
    }

    @Test
    void words_that_were_mistyped_are_told_with_the_one_that_was_meant() {
        wrong(
                "workfow: w\nkey: [input.id]\nsteps: [{step: a, run: b}]\n",
                "f:1:1: \"workfow\" is not known here; did you mean \"workflow\"?",
                "f:1:1: workflow: has a name");
        wrong(
                HEAD + "steps:\n  - step: a\n    run: b\n    timout: 3s\n",
                "f:6:5: \"timout\" is not known here; did you mean \"timeout\"?");
        wrong(HEAD + "steps:\n  - stpe: a\n    run: b\n", "did you mean \"step\"?");
        wrong(
                HEAD + "steps:\n  - effect: a\n    run: b\n    contract: idempotnt\n",
                "f:6:15: a contract is none, idempotent, {idempotent: 48h} or verifiable; did you mean \"idempotent\"?");
        wrong(
                HEAD + "steps:\n  - step: a\n    run: b\n    exit: {1: transcient}\n",
                "\"transcient\" is no meaning of an exit code");
        wrong(
                HEAD + "steps:\n  - step: aa\n    run: b\n  - step: c\n    run: [d, \"${results.ab.x}\"]\n",
                "there is no step \"ab\" before this one; did you mean \"aa\"?");
        wrong(
                HEAD + "steps:\n  - step: a\n    run: [d, \"${inputs.x}\"]\n",
                "\"inputs.x\" begins nowhere; did you mean \"input\"?");
    }

    @Test
    void a_template_in_a_shell_string_is_an_error_with_the_way_out() {
        wrong(
                HEAD + "steps:\n  - step: a\n    run: echo ${input.name} ${HOME} $(date)\n",
                "f:5:10: a shell string is not filled in: ${input.name}");
        assertThat(wrong(HEAD + "steps:\n  - step: a\n    run: echo ${input.name}\n")
                        .getFirst())
                .contains("run: [PROGRAM, \"${input.name}\"]", "env: {NAME: \"${input.name}\"}");
        wrong(
                HEAD + "steps:\n  - effect: a\n    run: b\n    verify: find ${results.x}\n",
                "a shell string is not filled in: ${results.x}");
        assertThat(read(HEAD + "steps:\n  - step: a\n    run: echo ${HOME} ${other.thing}\n")
                        .steps())
                .hasSize(1);
    }

    @Test
    void a_key_is_made_of_paths_that_are_known_before_anything_runs() {
        wrong(
                "workflow: w\nkey: [\"${input.id}\"]\nsteps: [{step: a, run: b}]\n",
                "f:2:7: a key is made of paths and never of templates: write input.id");
        wrong("workflow: w\nkey: [results.a]\nsteps: [{step: a, run: b}]\n", "a key is known before anything runs");
        wrong("workflow: w\nsteps: [{step: a, run: b}]\n", "a flow says what makes a job itself");
        wrong("workflow: w\nkey: []\nsteps: [{step: a, run: b}]\n", "a key has at least one path");
        wrong("workflow: w\nkey: [[a]]\nsteps: [{step: a, run: b}]\n", "a key is made of paths");
        wrong("workflow: w\nkey: [input..x]\nsteps: [{step: a, run: b}]\n", "\"input..x\" is no path");
    }

    @Test
    void steps_that_are_none() {
        wrong(HEAD, "steps: is a list");
        wrong(HEAD + "steps: []\n", "steps: is a list");
        wrong(HEAD + "steps: [a]\n", "a step is written");
        wrong(HEAD + "steps: [{}]\n", "a step says what it is");
        wrong(HEAD + "steps:\n  - step: a\n    effect: b\n    run: c\n", "a step is one thing, not step and effect");
        wrong(HEAD + "steps:\n  - step: a\n", "a step says what it runs");
        wrong(HEAD + "steps:\n  - step: a\n    run: {}\n", "run: is a shell string, or a list");
        wrong(HEAD + "steps:\n  - step: a\n    run: [[x]]\n", "an argument is a text");
        wrong(HEAD + "steps:\n  - step: \"a b\"\n    run: c\n", "is not a name for a step");
        wrong(HEAD + "steps:\n  - step: a\n    run: c\n  - step: a\n    run: c\n", "is the name of two steps");
        wrong(
                HEAD + "steps:\n  - approve: a\n    ask: May it?\n  - step: b\n    run: c\n",
                "an approval is for the effect that follows it");
        wrong(HEAD + "steps:\n  - approve: a\n    ask: May it?\n", "an approval is for the effect that follows it");
        wrong(HEAD + "steps:\n  - approve: a\n  - effect: b\n    run: c\n", "an approval asks something");
        wrong(HEAD + "steps:\n  - sleep: a\n", "a sleep says how long");
        wrong(
                HEAD + "steps:\n  - effect: a\n    run: c\n    contract: verifiable\n",
                "a verifiable effect says how to ask");
        wrong(
                HEAD + "steps:\n  - foreach: a\n    steps: [{step: b, run: c}]\n",
                "a loop says where its items are",
                "a loop says what makes an item itself");
        wrong(
                HEAD + "steps:\n  - foreach: a\n    in: input.x\n    key: input.y\n    steps: [{step: b, run: c}]\n",
                "a loop says what makes an item itself");
        wrong(HEAD + "steps:\n  - step: a\n    run: [b, \"${item.x}\"]\n", "there is an item only inside of foreach");
    }

    @Test
    void values_that_do_not_fit() {
        wrong(
                HEAD + "steps:\n  - {approve: a, ask: b, expires: 366d}\n  - {effect: c, run: d}\n",
                "f:4:35: at most 365d");
        wrong(HEAD + "timeout: soon\nsteps: [{step: a, run: b}]\n", "f:3:10: \"soon\" is no duration");
        wrong(HEAD + "timeout: 0s\nsteps: [{step: a, run: b}]\n", "this is no time at all");
        wrong(HEAD + "retry: {attempts: 0}\nsteps: [{step: a, run: b}]\n", "a number from 1 to 1000");
        wrong(
                HEAD + "retry: {attempts: x, backoff: 30s, often: 1}\nsteps: [{step: a, run: b}]\n",
                "a number from 1",
                "a backoff is written 30s..10m",
                "retry has no \"often\"");
        wrong(HEAD + "retry: 5\nsteps: [{step: a, run: b}]\n", "retry: is {attempts");
        wrong(
                HEAD + "budget: {day: 1USD, job: 5}\nsteps: [{step: a, run: b}]\n",
                "a budget is per job or workflow",
                "an amount is written");
        wrong(HEAD + "principal: [a]\nsteps: [{step: a, run: b}]\n", "this is a text");
        wrong(HEAD + "secrets: {a: b}\nsteps: [{step: a, run: b}]\n", "this is a text, or a list of them");
        wrong(HEAD + "steps:\n  - step: a\n    run: b\n    env: [x]\n", "env: is a mapping");
        wrong(HEAD + "secrets: [T]\nsteps:\n  - step: a\n    run: b\n    env: {T: x}\n", "T is a secret");
        wrong(HEAD + "steps:\n  - step: a\n    run: b\n    env: {\"A B\": x}\n", "env: is a mapping");
        wrong(
                HEAD + "steps:\n  - step: a\n    run: b\n    exit: {x: done, 0: done, 300: done}\n",
                "\"x\" is no exit code",
                "codes 1 to 255",
                "codes 1 to 255");
        wrong(HEAD + "steps:\n  - step: a\n    run: b\n    retry: {backoff: 1s..2s}\n", "the backoff is the flow's");
        wrong(HEAD + "steps:\n  - step: a\n    run: b\n    stdin: a b\n", "is no path");
        wrong(
                HEAD + "steps:\n  - step: a\n    run: b\n    stdin: [input]\n",
                "f:6:12: stdin: is the path of one value");
        wrong(HEAD + "steps:\n  - step: a\n    run: b\n    was: [c, \"d e\"]\n", "f:6:10: was: \"d e\" is not a name");
        wrong(HEAD + "steps:\n  - step: pawl.flow\n    run: b\n", "a name that begins with pawl. is none of yours");
        wrong(
                HEAD + "steps:\n  - step: a\n    run: b\n    was: pawl.flow\n",
                "was: a name that begins with pawl. is none");
        wrong(HEAD + "schedule: {cron: \"55 11 * * *\"}\nsteps: [{step: a, run: b}]\n", "schedules are not known yet");
    }

    @Test
    void a_file_that_is_no_yaml() {
        wrong("", "the file is empty");
        wrong("- a\n", "a flow begins with workflow: NAME");
        wrong("workflow: [\n", "this is no YAML");
        var laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
        for (var i = 1; i < 7; i++) {
            laughs += "a" + i + ": &a" + i + " [" + ("*a" + (i - 1) + ", ").repeat(8) + "x]\n";
        }
        assertThat(wrong(laughs)).anyMatch(said -> said.contains("aliases that repeat aliases"));
        wrong(HEAD + "timeout: 1s\ntimeout: 2s\nsteps: [{step: a, run: b}]\n", "f:4:1: \"timeout\" stands here twice");
        assertThat(wrong("[a]: b\n")).anyMatch(said -> said.contains("Non scalar key"));
        wrong("workflow: " + "x".repeat(1 << 20), "longer than");
        assertThat(wrong("a: " + "[".repeat(50) + "]".repeat(50) + "\n"))
                .anyMatch(said -> said.contains("nested too deeply"));
    }

    @Test
    void a_path_into_a_slot_that_leads_nowhere_is_told_before_anything_runs() {
        var flow = "workflow: w\nkey: [%s]\nsteps:\n  - step: a\n    run: [echo, \"${%s}\"]\n";
        wrong(String.format(flow, "slot.dat", "slot.date"), "there is no slot.dat; a slot has at, date and time");
        wrong(String.format(flow, "slot.date", "slot.hour"), "there is no slot.hour; a slot has at, date and time");
        wrong(String.format(flow, "slot.date.year", "slot.at"), "there is no slot.date.year; slot.date is a text");
        assertThat(read(String.format(flow, "slot.at", "slot.time")).name()).isEqualTo("w");
    }

    @Test
    void a_file_that_is_nested_without_end_or_never_ends_is_refused_in_a_sentence() {
        var deep = 20_000;
        wrong(
                "workflow: w\nkey: [input.id]\nsteps: " + "[".repeat(deep) + "]".repeat(deep),
                "this is nested too deeply");
        wrong("workflow: w\nsteps: " + "{a: ".repeat(deep) + "}".repeat(deep), "this is nested too deeply");
        assertThatExceptionOfType(FlowMistaken.class)
                .isThrownBy(() -> FlowReader.read(Path.of("/dev/zero")))
                .withMessageContaining("is longer than");
    }
}
