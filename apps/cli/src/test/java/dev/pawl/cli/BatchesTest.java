package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.pawl.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches as they are typed. */
class BatchesTest {
    /** A command that says for how long nobody should try again: no jitter makes that shorter. */
    private static final String REFUSED_FOR_AN_HOUR =
            "echo '{\"class\":\"transient\",\"retryAfter\":\"1h\"}' > $PAWL_FAILURE; exit 75";

    @TempDir
    private Path folder;

    private void rows(int many) throws IOException {
        var lines = new ArrayList<String>();
        for (var i = 1; i <= many; i++) {
            lines.add("{\"id\":" + i + "}");
        }
        Files.write(folder.resolve("rows.jsonl"), lines);
    }

    private Typing batch(String script, String... more) {
        var words = new ArrayList<>(
                List.of("batch", "run", folder.resolve("rows.jsonl").toString(), "--name", "nightly"));
        words.addAll(List.of("--key", "id", "--store=" + folder.resolve("pawl.db")));
        words.addAll(List.of(more));
        words.addAll(List.of("--", "sh", "-c", "cd " + folder + "; " + script));
        return Typing.of(words.toArray(String[]::new));
    }

    private Typing pawl(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add("--store=" + folder.resolve("pawl.db"));
        return Typing.of(all.toArray(String[]::new));
    }

    private List<String> lines(String file) throws IOException {
        var path = folder.resolve(file);
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    @Test
    void a_batch_is_done_once_and_the_next_run_says_so() throws IOException {
        rows(5);
        var first = batch("cat >> done; echo result");
        assertThat(first.code()).as(first.toString()).isZero();
        assertThat(first.out())
                .startsWith("batch=nightly done=5 skipped=0 failed=0 paused=0 waiting=0 cost=0.00USD time=");
        assertThat(first.err()).contains("a new store");
        rows(6);
        var second = batch("cat >> done; echo result", "--json");
        assertThat(second.out()).contains("\"done\":1", "\"skipped\":5");
        assertThat(batch("cat >> done", "-q").out())
                .as("silent when all is well")
                .isEmpty();
        assertThat(lines("done")).hasSize(6);
        assertThat(pawl("logs", "nightly/1").out()).contains("attempt 1", "result");
        assertThat(pawl("status").out()).contains("nightly: 6 done", "nothing needs you");
        assertThat(pawl("status", "--json", "--since", "00:00").code()).isZero();
        var export = pawl(
                "batch", "export", "nightly", "-o", folder.resolve("out.jsonl").toString());
        assertThat(export.code()).isZero();
        assertThat(lines("out.jsonl"))
                .hasSize(6)
                .contains("{\"key\":[\"1\"],\"row\":{\"id\":1},\"result\":\"result\"}");
    }

    @Test
    void a_row_that_fails_does_not_stop_the_others_and_is_told_until_somebody_has_dealt_with_it() throws IOException {
        rows(3);
        var script = "read -r row; echo \"$row\" >> tries; test \"$row\" != '{\"id\":2}' || exit 65";
        var first = batch(script);
        assertThat(first.code()).as(first.toString()).isEqualTo(1);
        assertThat(first.out()).contains("done=2", "failed=1");
        assertThat(first.err()).contains("event=failed job=nightly/2");
        var second = batch(script);
        assertThat(second.code()).as("nobody has dealt with it").isEqualTo(1);
        assertThat(second.out()).contains("skipped=2", "failed=0", "failed-before=1");
        assertThat(second.err()).contains("1 row is given up by earlier runs, and nobody has dealt with it: pawl jobs");
        assertThat(pawl("batch", "status", "nightly").out()).contains("done=2", "failed=1", "nightly/2");
        assertThat(pawl(
                                "batch",
                                "export",
                                "nightly",
                                "-o",
                                folder.resolve("out").toString())
                        .code())
                .isEqualTo(75);
        assertThat(pawl("batch", "retry", "nightly", "--note", "mended").out()).contains("1 row is tried again");
        var third = batch("cat >> tries");
        assertThat(third.out()).contains("done=1", "skipped=2");
        assertThat(lines("tries")).hasSize(4);
    }

    @Test
    void a_failure_of_friday_is_told_on_monday_also_when_mondays_rows_are_others_until_it_is_discarded()
            throws IOException {
        rows(1);
        assertThat(batch("exit 65").code()).isEqualTo(1);
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":\"monday\"}\n");
        var monday = batch("true", "-q");
        assertThat(monday.code()).as(monday.toString()).isEqualTo(1);
        assertThat(monday.out()).contains("done=1", "failed=0", "failed-before=1");
        assertThat(monday.err()).contains("given up by earlier runs", "pawl batch retry nightly --note WHY");
        var later = pawl("status", "--since", "2999-01-01T00:00:00Z");
        assertThat(later.code()).as(later.toString()).isEqualTo(1);
        assertThat(later.out()).contains("nightly/1", "pawl discard").doesNotContain("nothing needs you");

        assertThat(pawl("discard", "nightly/1", "--note", "not wanted").code()).isZero();
        assertThat(batch("true").code()).isZero();
        rows(1);
        var calledOff = batch("true");
        assertThat(calledOff.code()).as("it was dealt with").isZero();
        assertThat(calledOff.out()).contains("called-off=1").doesNotContain("failed-before");
        assertThat(pawl("status").out()).contains("nothing needs you");
    }

    @Test
    void a_row_that_may_have_happened_asks_and_the_others_are_done() throws IOException {
        rows(3);
        var typed = batch("read -r row; test \"$row\" != '{\"id\":2}'");
        assertThat(typed.code()).as(typed.toString()).isEqualTo(3);
        assertThat(typed.out()).contains("done=2", "paused=1");
        assertThat(typed.err()).contains("--exit 1=transient", "pawl jobs --state paused --workflow nightly");
        assertThat(pawl("jobs", "-q", "--state", "paused", "--workflow", "nightly")
                        .out())
                .isEqualTo("nightly/2\n");
        assertThat(pawl("status").code()).isEqualTo(3);
        assertThat(pawl("decide", "nightly/2", "done", "--result", "null", "--note", "I saw it")
                        .code())
                .isZero();
        assertThat(batch("true").out()).contains("done=1", "skipped=2", "paused=0");
    }

    @Test
    void rows_that_fail_alike_stop_the_run_and_later_one_row_tries_and_releases_the_others() throws IOException {
        rows(40);
        var typed = batch(
                "echo try >> tries; echo no route to host >&2; exit 75",
                "-j",
                "1",
                "--attempts",
                "3",
                "--backoff",
                "100ms..200ms",
                "--linger",
                "0s");
        assertThat(typed.code()).as(typed.toString()).isEqualTo(75);
        assertThat(lines("tries")).hasSize(5);
        assertThat(typed.err())
                .contains("5 rows in a row failed alike", "no route to host", "pawl open account/nightly")
                .contains("it is mended: all who wait go on at once", "it opens by itself at");
        var again = batch("echo try >> tries; exit 75", "--backoff", "100ms..200ms", "--linger", "0s");
        assertThat(again.code()).as(again.toString()).isEqualTo(75);
        assertThat(lines("tries")).as("one row has tried, and no other").hasSize(6);
        var last = batch("echo try >> tries", "-j", "1");
        assertThat(last.code()).as(last.toString()).isZero();
        assertThat(last.out()).contains("done=40");
        assertThat(lines("tries")).hasSize(46);
    }

    @Test
    void what_is_transient_is_tried_again_in_the_same_run() throws IOException {
        rows(1);
        var typed = batch("test $PAWL_ATTEMPT = 2 || exit 9", "--exit", "9=transient", "--backoff", "100ms..200ms");
        assertThat(typed.code()).as(typed.toString()).isZero();
        assertThat(typed.out()).contains("done=1");
    }

    @Test
    void what_is_repeatable_and_what_is_verified_asks_nobody() throws IOException {
        rows(1);
        assertThat(batch("test $PAWL_ATTEMPT = 2", "--contract", "repeatable", "--backoff", "100ms..200ms")
                        .out())
                .contains("done=1");
        rows(2);
        assertThat(batch("exit 1", "--verify", "echo '{\"happened\":true}'").out())
                .contains("done=1", "skipped=1");
    }

    @Test
    void output_is_shown_as_it_is_written_if_somebody_wants_it() throws IOException {
        rows(1);
        var typed = batch("echo to out; echo to err >&2", "--tee");
        assertThat(typed.out()).startsWith("to out\n");
        assertThat(typed.err()).contains("to err\n");
    }

    @Test
    void csv_and_lines_that_are_put_aside() throws IOException {
        Files.writeString(folder.resolve("rows.jsonl"), "id,name\n1,a\n2\n3,c\n");
        var typed = batch(
                "cat >> done",
                "--csv",
                "--skip-bad-lines",
                folder.resolve("aside").toString());
        assertThat(typed.code()).as(typed.toString()).isZero();
        assertThat(lines("done"))
                .containsExactlyInAnyOrder("{\"id\":\"1\",\"name\":\"a\"}", "{\"id\":\"3\",\"name\":\"c\"}");
        assertThat(lines("aside"))
                .containsExactly("{\"line\":3,\"why\":\"it has 1 field, and the heading has 2\",\"text\":null}");
    }

    @Test
    void somebody_else_is_told_that_a_run_begins_and_how_it_ended() throws IOException {
        rows(1);
        var told = Collections.synchronizedList(new ArrayList<String>());
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            told.add(exchange.getRequestURI() + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        try {
            batch("true", "--ping", "http://127.0.0.1:" + server.getAddress().getPort() + "/uuid");
        } finally {
            server.stop(0);
        }
        assertThat(told).hasSize(2);
        assertThat(told.get(0)).isEqualTo("/uuid/start ");
        assertThat(told.get(1)).startsWith("/uuid/0 batch=nightly done=1");
        assertThat(batch("true", "--ping", "http://127.0.0.1:1/uuid").code())
                .as("nobody hears it, and all is well")
                .isZero();
    }

    @Test
    void a_guard_passes_output_and_code_on_and_does_a_work_item_once() throws IOException {
        var store = "--store=" + folder.resolve("pawl.db");
        var plain = Typing.of("guard", "--name", "g", store, "--", "sh", "-c", "echo out; echo err >&2; exit 7");
        assertThat(plain).isEqualTo(new Typing(7, "out\n", "err\n"));
        // Where it is noon, no week ends meanwhile.
        var zone = ZoneOffset.ofHours(
                        12 - Time.system().now().atOffset(ZoneOffset.UTC).getHour())
                .toString();
        var keyed = Typing.of(
                "guard",
                "--name",
                "k",
                "--once-per",
                "week",
                "--zone",
                zone,
                store,
                "--",
                "sh",
                "-c",
                "echo run >> " + folder.resolve("runs"));
        assertThat(keyed.code()).as(keyed.toString()).isZero();
        var again = Typing.of(
                "guard",
                "--name",
                "k",
                "--once-per",
                "week",
                "--zone",
                zone,
                store,
                "--",
                "sh",
                "-c",
                "echo run >> " + folder.resolve("runs"));
        assertThat(again.code()).isZero();
        assertThat(again.err()).contains("is done already");
        assertThat(lines("runs")).hasSize(1);
        var doubtful = Typing.of("guard", "--name", "d", "--key", "a", "--key", "b", store, "--", "sh", "-c", "exit 3");
        assertThat(doubtful.code()).isEqualTo(3);
        var paused = Typing.of("guard", "--name", "d", "--key", "a", "--key", "b", store, "--", "sh", "-c", "exit 3");
        assertThat(paused.code()).as(paused.toString()).isEqualTo(125);
        assertThat(paused.err()).contains("was not run", "pawl decide guard.d/a/b retry");
    }

    @Test
    void a_guard_whose_question_was_answered_runs_once_its_time_has_come() {
        var store = "--store=" + folder.resolve("pawl.db");
        String[] guard = {
            "guard", "--name", "g", "--key", "k", store, "--", "sh", "-c", "test -e " + folder.resolve("mended")
        };
        assertThat(Typing.of(guard).code()).isEqualTo(1);
        assertThat(pawl("decide", "guard.g/k", "retry", "--note", "it did not").code())
                .isZero();
        var early = Typing.of(guard);
        assertThat(early.code()).as("earlier attempts may still land").isEqualTo(125);
        assertThat(early.err()).contains("pawl show guard.g/k --store");
        assertThat(Typing.of(guard).code()).as("and so it stays for a minute").isEqualTo(125);
    }

    @Test
    void failed_rows_are_counted_by_class_and_retried_by_class() throws IOException {
        rows(3);
        var script = "read -r row; case $row in *1*) exit 75;; *2*) exit 65;; esac";
        assertThat(batch(script, "--attempts", "1").code()).isEqualTo(1);
        assertThat(pawl("batch", "status", "nightly").out())
                .contains("failed=2", "failed-permanent=1", "failed-transient=1");
        assertThat(pawl("batch", "status", "nightly", "--json").out())
                .contains("\"failedByClass\":{\"permanent\":1,\"transient\":1}");
        assertThat(pawl("batch", "retry", "nightly", "--class", "trnasient", "--note", "x")
                        .code())
                .isEqualTo(2);
        assertThat(pawl("batch", "retry", "nightly", "--class", "transient", "--note", "the net is back")
                        .out())
                .contains("1 row is tried again");
        assertThat(batch("true").out()).contains("done=1", "skipped=1", "failed-before=1");
        assertThat(pawl("batch", "retry", "nightly", "--class", "transient,permanent", "--note", "mended")
                        .out())
                .contains("1 row is tried again");
    }

    @Test
    void a_backoff_is_as_long_as_it_was_said_and_one_that_is_none_is_refused() throws IOException {
        rows(1);
        var fails = batch("echo try >> tries; exit 75", "--attempts", "6", "--backoff", "1ms..5ms");
        assertThat(fails.code()).as(fails.toString()).isEqualTo(1);
        assertThat(lines("tries")).hasSize(6);
        assertThat(batch("true", "--backoff", "1m..1s").err()).contains("a backoff goes from");
        assertThat(batch("true", "--backoff", "1s..2s..3s").err()).contains("is no backoff; write 30s..10m");
        assertThat(batch("true", "--backoff", "soon").code()).isEqualTo(2);
        pawl("batch", "retry", "nightly", "--note", "again");
        var waits = batch(REFUSED_FOR_AN_HOUR, "--linger", "0s");
        assertThat(waits.code())
                .as("it waits for longer than anybody stays: %s", waits)
                .isEqualTo(75);
    }

    @Test
    void a_guard_whose_command_says_that_nothing_happened_says_when_it_is_tried_again() {
        var words = List.of("guard", "--name", "g", "--key", "k", "--store=" + folder.resolve("pawl.db"));
        var first = new ArrayList<>(words);
        first.addAll(List.of("--", "sh", "-c", REFUSED_FOR_AN_HOUR));
        assertThat(Typing.of(first.toArray(String[]::new)).code()).isEqualTo(75);
        var second = Typing.of(first.toArray(String[]::new));
        assertThat(second.code()).isEqualTo(125);
        assertThat(second.err())
                .contains(
                        "guard g, key k was not run; whoever calls this from ",
                        "tries it again",
                        "pawl show guard.g/k --store");
    }

    @Test
    void a_row_that_a_person_answered_with_fail_asks_again_and_batch_retry_says_so() throws IOException {
        rows(2);
        assertThat(batch("exit 1").code()).isEqualTo(3);
        pawl("decide", "nightly/1", "fail", "--note", "nobody knows");
        pawl("decide", "nightly/2", "done", "--result", "1", "--note", "I saw it");
        assertThat(batch("exit 1").code()).isEqualTo(1);
        var retried = pawl("batch", "retry", "nightly", "--note", "again");
        assertThat(retried.out()).contains("0 rows are tried again", "1 row is asking again then", "nobody knows");
        assertThat(batch("exit 1").out()).contains("paused=1", "failed=0");
    }

    @Test
    void attempts_of_an_idempotent_command_that_are_spent_in_doubt_ask_and_are_not_failed() throws IOException {
        rows(1);
        var spent = batch("echo try >> tries; exit 1", "--contract=idempotent", "--attempts=2", "--backoff=1ms");
        assertThat(spent.code()).as(spent.toString()).isEqualTo(3);
        assertThat(spent.out()).contains("paused=1", "failed=0");
        assertThat(lines("tries")).hasSize(2);
    }

    @Test
    void a_done_row_whose_values_changed_is_counted_in_the_line() throws IOException {
        rows(2);
        assertThat(batch("true").out()).doesNotContain("changed");
        Files.write(folder.resolve("rows.jsonl"), List.of("{\"id\":1,\"price\":2}", "{\"id\":2}"));
        assertThat(batch("true").out()).contains("skipped=2 changed=1 failed=0");
        assertThat(batch("true", "--json").out()).contains("\"changed\":1");
    }

    @Test
    void a_signal_to_a_job_that_can_wait_for_none_says_so() throws IOException {
        rows(1);
        batch("exit 1");
        Files.writeString(
                folder.resolve("flow.yaml"), "workflow: w\nkey: [input.id]\nsteps:\n  - effect: a\n    run: exit 1\n");
        pawl("run", folder.resolve("flow.yaml").toString(), "--input", "{\"id\":1}");
        for (var job : List.of("nightly/1", "w/1")) {
            var told = pawl("signal", job, "paid", "--payload", "true", "--id", "1");
            assertThat(told.code()).as(told.toString()).isEqualTo(2);
            assertThat(told.err())
                    .contains("job " + job + " is of commands, which wait for no signal", "nothing was sent");
        }
    }

    @Test
    void only_commands_that_ask_can_be_told_not_to() {
        for (var asks : List.of("decide", "resubmit")) {
            assertThat(Typing.of(asks, "--help").out()).as(asks).contains("-y");
        }
        for (var silent : List.of("retry", "cancel", "discard", "signal", "open")) {
            assertThat(Typing.of(silent, "--help").out()).as(silent).doesNotContain("--yes");
        }
    }

    @Test
    void a_guard_without_a_key_tells_its_command_what_one_with_a_key_tells() throws IOException {
        var script = "cd " + folder
                + "; env | sed -n 's/^\\(PAWL_[A-Z]*\\)=.*/\\1/p' | grep -v PAWL_STORE | sort > names; echo \"$PAWL_JOB\" > job; echo 1 > $PAWL_RESULT";
        var store = "--store=" + folder.resolve("pawl.db");
        assertThat(Typing.of("guard", "--name=g", "--key=k", store, "--", "sh", "-c", script)
                        .code())
                .isZero();
        var keyed = lines("names");
        assertThat(keyed)
                .contains(
                        "PAWL_JOB", "PAWL_KEY", "PAWL_STEP", "PAWL_FENCE", "PAWL_ATTEMPT", "PAWL_RESULT", "PAWL_USAGE");
        assertThat(lines("job")).containsExactly("guard.g/k");
        assertThat(Typing.of("guard", "--name=g", store, "--", "sh", "-c", script)
                        .code())
                .isZero();
        assertThat(lines("names")).isEqualTo(keyed);
        assertThat(lines("job")).containsExactly("guard.g");
    }

    @Test
    void a_batch_whose_rows_were_all_pruned_is_still_a_batch() throws IOException {
        rows(2);
        batch("true");
        Typing.of("guard", "--name=later", "--key=1", "--store=" + folder.resolve("pawl.db"), "--", "true");
        assertThat(pawl("prune", "--older-than", "0s").out()).contains("2 jobs are pruned");
        var status = pawl("batch", "status", "nightly");
        assertThat(status.code()).as(status.toString()).isZero();
        assertThat(status.out()).contains("batch=nightly", "done=0", "they were pruned");
        assertThat(pawl("batch", "retry", "nightly", "--note", "x").out()).contains("0 rows are tried again");
        var export =
                pawl("batch", "export", "nightly", "-o", folder.resolve("out").toString());
        assertThat(export.code()).isEqualTo(2);
        assertThat(export.err()).contains("were pruned");
        assertThat(batch("echo again >> again").out()).contains("skipped=2", "done=0");
        assertThat(lines("again")).isEmpty();
        assertThat(pawl("batch", "status", "nightyl").err()).contains("there is no batch nightyl");
    }

    @Test
    void rows_that_wait_to_be_tried_again_go_on_when_a_person_says_so() throws IOException {
        rows(2);
        var script = "read -r row; echo \"$row\" >> tries; case $row in *1*) test -e up || { " + REFUSED_FOR_AN_HOUR
                + "; };; esac";
        assertThat(batch(script, "--linger", "0s").code()).isEqualTo(75);
        assertThat(batch(script, "--linger", "0s").out()).as("it is not due").contains("waiting=1");
        Files.createFile(folder.resolve("up"));
        var told = pawl("batch", "retry", "nightly", "--now", "--note", "the net is back");
        assertThat(told.out()).contains("1 row waits no longer to be tried again");
        assertThat(batch(script, "--linger", "0s").out()).contains("done=1", "waiting=0");
        assertThat(lines("tries")).hasSize(3);
        assertThat(pawl("batch", "retry", "nightly", "--now", "--note", "x").out())
                .contains("0 rows wait no longer");
        assertThat(pawl("batch", "retry", "nightly", "--now", "--class=transient", "--note", "x")
                        .code())
                .isEqualTo(2);
    }

    @Test
    void what_an_earlier_run_has_left_goes_on_with_the_next_over_other_rows_and_is_counted() throws IOException {
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":\"monday\"}\n");
        assertThat(batch("cat >> tries; " + REFUSED_FOR_AN_HOUR, "--linger", "0s")
                        .code())
                .isEqualTo(75);
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":\"tuesday\"}\n");
        var tuesday = batch("cat >> tries", "--linger", "0s");
        assertThat(tuesday.out()).contains("done=1", "waiting=1");
        assertThat(tuesday.code()).isEqualTo(75);
        assertThat(tuesday.err()).contains("1 row of earlier runs is not finished, and not in ", "goes on with it");
        pawl("retry", "nightly/monday", "--now", "--note", "x");
        var next = batch("cat >> tries", "--linger", "0s");
        assertThat(next.out()).contains("done=1", "skipped=1", "waiting=0");
        assertThat(next.code()).isZero();
        assertThat(lines("tries").toString()).contains("monday", "tuesday");
    }

    @Test
    void an_export_from_which_pruned_rows_are_missing_is_not_whole() throws IOException {
        rows(1);
        assertThat(batch("true").code()).isZero();
        rows(2);
        assertThat(batch("true").code()).isZero();
        assertThat(pawl("prune", "--older-than", "0s").code()).isZero();
        var export =
                pawl("batch", "export", "nightly", "-o", folder.resolve("out").toString());
        assertThat(export.out()).contains("1 row is in ", "1 row was pruned, and its result with it");
        assertThat(export.code()).isEqualTo(75);
        assertThat(pawl("batch", "status", "nightly").out()).contains("pruned=1");
    }
}
