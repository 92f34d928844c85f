package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.event.Event;
import dev.pawl.event.EventField;
import dev.pawl.event.EventKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person is told in the morning, and what to type next. */
class MorningTest {
    private static final String NOT_BEFORE_FIVE_HOURS =
            "echo '{\"class\":\"transient\",\"retryAfter\":\"5h\"}' > $PAWL_FAILURE; exit 75";

    @TempDir
    private Path folder;

    private String store() {
        return "--store=" + folder.resolve("pawl.db");
    }

    private Typing pawl(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add(store());
        return Typing.of(all.toArray(String[]::new));
    }

    private Typing batch(String script, String... more) {
        var words = new ArrayList<>(List.of("batch", "run", folder.resolve("rows.jsonl") + "", "--name", "nightly"));
        words.addAll(List.of("--key", "slug", "--halt-after", "0", store()));
        words.addAll(List.of(more));
        words.addAll(List.of("--", "sh", "-c", script));
        return Typing.of(words.toArray(String[]::new));
    }

    private void rows(String... slugs) throws IOException {
        Files.write(
                folder.resolve("rows.jsonl"),
                List.of(slugs).stream()
                        .map(slug -> "{\"slug\":\"" + slug + "\"}")
                        .toList());
    }

    private void aBadNight() throws IOException {
        rows("alpha", "beta", "gamma", "other", "well");
        var night = batch(
                "read -r row; case $row in *well*) exit 0;; *other*) exit 9;; *) echo no route >&2; exit 1;; esac");
        assertThat(night.code()).as(night.toString()).isEqualTo(3);
        assertThat(night.err()).contains("pawl decide --alike JOB VERDICT --note WHY");
    }

    @Test
    void status_groups_questions_by_reason_and_says_since_when_until_when_and_what_to_type() throws IOException {
        aBadNight();
        var status = pawl("status");
        assertThat(status.code()).isEqualTo(3);
        assertThat(status.out())
                .contains("asks you: 4", "nightly about run: ", "exit 1", "exit 9")
                .containsPattern(
                        "3 jobs since \\d{4}-.*, until somebody answers: nightly/alpha, nightly/beta, nightly/gamma\n")
                .contains("    pawl show nightly/alpha --store ")
                .contains("    pawl decide --alike nightly/alpha VERDICT --note WHY --store ")
                .contains("answers all 3")
                .contains("    pawl show nightly/other --store ")
                .doesNotContain("--alike nightly/other")
                .doesNotContainPattern("\\dT\\d\\d:\\d\\d:\\d\\dZ");
        assertThat(pawl("status", "--json").out())
                .contains("\"questions\":[{\"workflow\":\"nightly\",\"place\":\"run\",\"kind\":\"IN_DOUBT\",\"why\":")
                .contains("\"jobs\":[\"nightly/alpha\",\"nightly/beta\",\"nightly/gamma\"]");
    }

    @Test
    void decide_alike_answers_all_that_ask_the_same_and_only_those_once_their_number_is_said() throws IOException {
        aBadNight();
        var blind = pawl("decide", "--alike", "nightly/beta", "skip", "--note", "x", "-y");
        assertThat(blind.code()).isEqualTo(2);
        assertThat(blind.err())
                .contains("nightly/alpha asks about run", "nightly/gamma asks", "3 jobs ask alike", "--expect 3")
                .doesNotContain("nightly/other");
        assertThat(pawl("decide", "--alike", "nightly/beta", "skip", "--note", "x", "--expect", "4")
                        .err())
                .contains("3 jobs ask alike, not 4; nothing was done");
        assertThat(pawl("decide", "nightly/beta", "skip", "--note", "x", "--expect", "1")
                        .code())
                .isEqualTo(2);
        assertThat(pawl("decide", "--alike", "nightly/alpha", "nightly/beta", "skip", "--note", "x", "--expect", "3")
                        .code())
                .isEqualTo(2);
        assertThat(pawl("decide", "--alike", "nightly/well", "skip", "--note", "x", "--expect", "1")
                        .err())
                .contains("nightly/well is DONE and asks nothing");
        assertThat(pawl("jobs", "-q", "--state", "paused").out().lines()).hasSize(4);

        var answered = pawl("decide", "--alike", "nightly/beta", "skip", "--note", "seen", "-y", "--expect", "3");
        assertThat(answered.code()).as(answered.toString()).isZero();
        assertThat(answered.out()).contains("nightly/alpha: skip", "nightly/beta: skip", "nightly/gamma: skip");
        assertThat(pawl("jobs", "-q", "--state", "paused").out()).isEqualTo("nightly/other\n");
    }

    @Test
    void status_says_when_waiting_jobs_go_on_and_what_tries_failed_ones_again() throws IOException {
        rows("alpha", "beta");
        var night = batch(
                "read -r row; case $row in *alpha*) exit 65;; esac; " + NOT_BEFORE_FIVE_HOURS,
                "--backoff",
                "5h..6h",
                "--linger",
                "0s");
        assertThat(night.code()).as(night.toString()).isEqualTo(1);
        var guard = Typing.of("guard", "--name", "g", "--key", "k", store(), "--", "sh", "-c", "exit 65");
        assertThat(guard.code()).isEqualTo(65);
        var status = pawl("status");
        assertThat(status.code()).isEqualTo(1);
        assertThat(status.out())
                .contains("failed, and nobody has dealt with it: 2", "  guard g: 1 failed\n")
                .contains("    pawl batch retry nightly --note WHY --store ")
                .contains("    pawl retry guard.g/k --note WHY --store ")
                .contains("    pawl discard JOB --note WHY --store ")
                .containsPattern(
                        "  nightly: 1 (ready|waiting); the next is due at \\d{4}-.*; nobody works there now: pawl batch run /.*/rows.jsonl --name nightly --key slug --halt-after 0 --backoff 5h..6h --linger 0s --store .* -- sh -c 'read -r row; case \\$row in [*]alpha[*]\\) exit 65;; esac; echo .*retryAfter.*; exit 75'\n");
        assertThat(pawl("status", "--json").out()).contains("\"goesOn\":{\"nightly\":\"2");
    }

    /** The command that {@code said} names for where nobody works. */
    private static String command(Typing said) {
        assertThat(said.code()).as(said.toString()).isZero();
        assertThat(said.out()).contains("; nobody works there now: pawl ");
        return said.out()
                .replaceAll("(?s).*; nobody works there now: pawl ", "")
                .strip();
    }

    private String shown() {
        return " --store " + folder.resolve("pawl.db");
    }

    @Test
    void after_a_decision_the_very_command_is_said_that_goes_on_where_nobody_works() throws IOException {
        aBadNight();
        var again = command(pawl("decide", "nightly/alpha", "retry", "--note", "x"));
        assertThat(again)
                .startsWith("batch run " + folder.resolve("rows.jsonl") + " --name nightly --key slug --halt-after 0"
                        + shown() + " -- sh -c 'read -r row; case $row in ");
        assertThat(pawl("decide", "nightly/beta", "skip", "--note", "x").out())
                .contains("whoever works nightly goes on with it; nobody works there now: pawl " + again);
        var both = pawl("decide", "--alike", "nightly/gamma", "fail", "--note", "x", "--expect", "1");
        assertThat(command(both)).isEqualTo(again);
    }

    @Test
    void after_a_retry_the_very_command_is_said_once_however_many_jobs_there_are() throws IOException {
        rows("alpha", "beta");
        assertThat(batch("exit 65").code()).isEqualTo(1);
        var retried = pawl("retry", "nightly/alpha", "nightly/beta", "--note", "x");
        assertThat(retried.out().lines())
                .hasSize(2)
                .first()
                .asString()
                .endsWith(" -- sh -c 'exit 65'")
                .contains("whoever works nightly goes on with it; nobody works there now: pawl batch run ");
        assertThat(retried.out()).containsOnlyOnce("pawl batch run");
        assertThat(batch("exit 65").code()).isEqualTo(1);
        assertThat(command(pawl("batch", "retry", "nightly", "--note", "x")))
                .startsWith("batch run ")
                .endsWith(shown() + " -- sh -c 'exit 65'");
    }

    @Test
    void a_guard_is_called_a_guard_and_gone_on_with_by_its_own_key() {
        var guard = Typing.of("guard", "--name", "g", "--key", "a b", store(), "--", "sh", "-c", "exit 1");
        assertThat(guard.code()).isEqualTo(1);
        assertThat(guard.err()).doesNotContain("whoever works guard.g");
        var yesterday = Typing.of("guard", "--name", "g", "--once-per", "day", store(), "--", "sh", "-c", "exit 1");
        assertThat(yesterday.code()).isEqualTo(1);
        var decided = pawl("decide", "guard.g/a%20b", "retry", "--even-now", "--note", "x");
        assertThat(decided.out()).contains("whoever works guard g goes on with it");
        assertThat(command(decided)).isEqualTo("guard --name g --key 'a b'" + shown() + " -- sh -c 'exit 1'");
        assertThat(Typing.of("guard", "--name", "g", "--key", "a b", store(), "--", "true")
                        .code())
                .isZero();
        assertThat(Typing.of("guard", "--name", "g", "--key", "a b", store(), "--", "true")
                        .err())
                .contains("guard g, key a%20b is done already");
    }

    @Test
    void a_call_that_was_refused_is_not_what_is_said_to_be_typed() throws IOException {
        aBadNight();
        Files.writeString(folder.resolve("others.jsonl"), "rubbish\n");
        var refused = Typing.of(
                "batch",
                "run",
                folder.resolve("others.jsonl") + "",
                "--name=nightly",
                "--key=slug",
                store(),
                "--",
                "true");
        assertThat(refused.code()).as(refused.toString()).isEqualTo(2);
        assertThat(command(pawl("decide", "nightly/alpha", "retry", "--note", "x")))
                .startsWith("batch run " + folder.resolve("rows.jsonl"));

        var noStore = Files.writeString(folder.resolve("no-store"), "rubbish").toString();
        assertThat(Typing.of("guard", "--name=g", "--key=k", "--store=" + noStore, "--", "true")
                        .code())
                .isEqualTo(125);
        var flow = Files.writeString(
                folder.resolve("f.yaml"), "workflow: f\nkey: [input.x]\nsteps:\n  - step: one\n    run: 'true'\n");
        assertThat(Typing.of("run", flow + "", "--input={\"x\":1}", "--store=" + noStore)
                        .code())
                .isEqualTo(2);
        assertThat(folder.resolve("no-store-runs")).doesNotExist();
    }

    @Test
    void a_job_that_was_called_off_says_what_answers_do_to_it_wherever_it_asks() throws IOException {
        var flow = Files.writeString(
                folder.resolve("f.yaml"), "workflow: f\nkey: [input.x]\nsteps:\n  - effect: one\n    run: exit 1\n");
        assertThat(pawl("run", flow + "", "--input={\"x\":1}").code()).isEqualTo(3);
        assertThat(Typing.of("guard", "--name=g", "--key=k", store(), "--", "false")
                        .code())
                .isEqualTo(1);
        assertThat(pawl("cancel", "f/1", "guard.g/k", "--note", "x").code()).isZero();
        var run = pawl("run", flow + "", "--input={\"x\":1}").err();
        var guard = Typing.of("guard", "--name=g", "--key=k", store(), "--", "false")
                .err();
        assertThat(pawl("show", "f/1").out()).contains(answers(run));
        assertThat(pawl("show", "guard.g/k").out()).contains(answers(guard));
    }

    private static List<String> answers(String asked) {
        var answers =
                asked.lines().filter(line -> line.contains("pawl decide ")).toList();
        assertThat(answers).as(asked).hasSizeGreaterThan(1);
        return answers;
    }

    @Test
    void what_is_done_to_several_jobs_is_done_to_none_when_one_of_them_is_not_for_it() throws IOException {
        rows("bad", "worse", "fine", "asks", "waits");
        var night = batch(
                "read -r row; case $row in *fine*) exit 0;; *asks*) exit 1;; *waits*) " + NOT_BEFORE_FIVE_HOURS
                        + ";; esac; exit 65",
                "--linger",
                "0s");
        assertThat(night.code()).as(night.toString()).isEqualTo(1);
        var before = pawl("jobs").out();
        for (var words : List.of(
                List.of("retry", "nightly/bad", "nightly/fine"),
                List.of("retry", "--now", "nightly/waits", "nightly/bad"),
                List.of("discard", "nightly/bad", "nightly/fine"),
                List.of("cancel", "nightly/waits", "nightly/fine"),
                List.of("resubmit", "-y", "nightly/fine", "nightly/asks"),
                List.of("decide", "nightly/asks", "nightly/bad", "skip"),
                List.of("decide", "-y", "nightly/asks", "approve"))) {
            var all = new ArrayList<>(words);
            all.addAll(List.of("--note", "x"));
            var refused = pawl(all.toArray(String[]::new));
            assertThat(refused.code()).as(words + refused.toString()).isEqualTo(2);
            assertThat(refused.out()).isEmpty();
            assertThat(pawl("jobs").out()).as(words.toString()).isEqualTo(before);
        }
        assertThat(pawl("retry", "nightly/bad", "nightly/bad", "nightly/worse", "--note", "x")
                        .out()
                        .lines())
                .hasSize(2);
    }

    @Test
    void a_gate_that_opens_by_itself_is_nobodys_question() throws IOException {
        rows("alpha", "beta");
        var flow = Files.writeString(
                folder.resolve("f.yaml"),
                "workflow: nightly\nkey: [input.slug]\nsteps:\n  - effect: one\n    run: exit 75\n");
        var night = pawl(
                "batch",
                "run",
                folder.resolve("rows.jsonl") + "",
                "--name=nightly",
                "--key=slug",
                "--flow=" + flow,
                "--halt-after=1",
                "--linger=0s",
                "-j1");
        assertThat(night.code()).as(night.toString()).isEqualTo(75);
        var status = pawl("batch", "status", "nightly");
        assertThat(status.out()).contains("it opens by itself at ");
        assertThat(status.code()).isEqualTo(75);
        var ran = pawl("run", flow + "", "--input={\"slug\":\"gamma\"}");
        assertThat(ran.code()).as(ran.toString()).isEqualTo(75);
    }

    @Test
    void a_batch_whose_only_run_was_refused_has_not_begun() throws IOException {
        Files.writeString(folder.resolve("rows.jsonl"), "rubbish\n");
        assertThat(batch("true").code()).isEqualTo(2);
        assertThat(pawl("batch", "status", "nightly").out())
                .contains("no run of it has begun")
                .doesNotContain("pruned");
        rows("alpha");
        assertThat(batch("true").code()).isZero();
        assertThat(pawl("batch", "status", "nightly").out()).contains("done=1").doesNotContain("has begun");
    }

    @Test
    void a_flow_is_gone_on_with_as_it_was_last_run_and_what_came_from_a_pipe_is_for_its_caller_to_say()
            throws IOException {
        var flow = Files.writeString(
                folder.resolve("other.yaml"),
                "workflow: other\nkey: [input.x]\nsteps:\n  - effect: one\n    run: exit 1\n");
        assertThat(pawl("run", flow.toString(), "--input", "{\"x\":1}").code()).isEqualTo(3);
        assertThat(command(pawl("decide", "other/1", "skip", "--note", "x")))
                .isEqualTo("run " + flow + " --input '{\"x\":1}'" + shown());
        assertThat(new LastRun("/", List.of("batch", "run", "-", "--", "cat", "-"))
                        .saying("-", "ROWS")
                        .text(""))
                .isEqualTo("cd / && pawl batch run ROWS -- cat -");
    }

    @Test
    void an_event_of_another_workflow_is_not_what_a_run_prints() {
        var heard = new ArrayList<String>();
        var events = new EventsOfOneRun("nightly", event -> heard.add(event.name()));
        var at = Instant.EPOCH;
        events.happened(Event.of(at, EventKind.NOBODY_TAKES).with(EventField.WORKFLOW, "other"));
        events.happened(Event.of(at, EventKind.ASKS).with(EventField.JOB, "other/1"));
        events.happened(Event.of(at, EventKind.FAILED).with(EventField.JOB, "nightly/1"));
        events.happened(Event.of(at, EventKind.DUPLICATED).with(EventField.JOB, "other/1"));
        events.happened(Event.of(at, EventKind.CLOCK_WAS_SET));
        assertThat(heard).containsExactly("failed", "duplicated", "clock-was-set");
    }

    @Test
    void status_says_until_when_an_approval_can_be_given_and_what_happens_then() throws IOException {
        var flow = Files.writeString(folder.resolve("f.yaml"), """
                workflow: f
                key: [input.id]
                steps:
                  - approve: may_send
                    ask: Send it?
                    expires: 12h
                  - effect: send
                    run: "true"
                """);
        assertThat(pawl("run", flow.toString(), "--input", "{\"id\":1}").code()).isEqualTo(3);
        assertThat(pawl("status").out())
                .containsPattern("1 job since \\d{4}-.*, until \\d{4}-.*, then it counts as a no: f/1\n");
    }

    @Test
    void a_guard_is_tried_again_as_soon_and_as_often_as_it_says() throws IOException {
        var tally = folder.resolve("tally");
        var guard = new String[] {
            "guard",
            "--name=g",
            "--key=k",
            "--backoff=0s..0s",
            "--attempts=2",
            store(),
            "--",
            "sh",
            "-c",
            "echo run >> " + tally + "; exit 75"
        };
        var first = Typing.of(guard);
        assertThat(first.code()).as(first.toString()).isEqualTo(75);
        var last = Typing.of(guard);
        if (last.code() == 75) {
            // The first had not stayed for its second attempt, which is due at once.
            last = Typing.of(guard);
        }
        assertThat(last.code()).as(last.toString()).isEqualTo(125);
        assertThat(last.err()).contains("was not run", "pawl retry guard.g/k");
        assertThat(Files.readAllLines(tally)).hasSize(2);
    }
}
