package dev.pawl.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Cost;
import dev.pawl.cost.Spent;
import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Contract;
import dev.pawl.job.JobState;
import dev.pawl.job.Named;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Change;
import dev.pawl.store.Wanted;
import dev.pawl.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Commands as steps and effects of real jobs; what a minder knows settles what it can. */
class CommandsTest extends CommandHarness {
    private static final String TOO_LONG = "echo noise; head -c 20000000 /dev/zero | tr '\\0' x > $PAWL_RESULT";

    @Test
    void a_command_is_told_which_attempt_it_is_and_reads_its_input() throws Exception {
        var job =
                step(call("cat; echo \" $PAWL_JOB $PAWL_STEP $PAWL_ATTEMPT $MORE\"; test -n \"$PAWL_KEY$PAWL_FENCE\""));
        assertThat(result(job)).isEqualTo("\"{\\\"row\\\":1} w/x s 1 more\"");
        assertThat(log(job)).contains("w/x s 1 more");
        try (var left = Files.walk(root.resolve("commands"))) {
            assertThat(left.filter(Files::isRegularFile))
                    .as("what is over needs no folder")
                    .allMatch(file -> file.endsWith("minder.log"));
        }
    }

    @Test
    void a_command_is_told_what_its_job_is_part_of() throws Exception {
        assertThat(result(step(call("echo $TRACEPARENT")))).isEqualTo("\"" + TRACED + "\"");
    }

    @Test
    void its_result_is_what_it_wrote_as_such_whatever_it_printed() throws Exception {
        assertThat(result(step(call("echo noise; echo '{\"b\":1.50}' > $PAWL_RESULT"))))
                .isEqualTo("{\"b\":1.5}");
    }

    @Test
    void what_its_result_says_is_not_kept_a_second_time_as_its_log() throws Exception {
        var job = step(call("echo '{\"a\":1}'"));
        assertThat(result(job)).isEqualTo("{\"a\":1}");
        assertThat(log(job)).as("as it is shown").contains("{\"a\":1}");
        assertThat(store.journal(job.id()).stream().map(line -> line.entry()))
                .filteredOn(Entry.Logged.class::isInstance)
                .as("as it is stored")
                .singleElement()
                .satisfies(entry -> assertThat(((Entry.Logged) entry).text()).isEmpty());
    }

    private static String notKept(StoredJob job) {
        var question = Objects.requireNonNull(job.outcome().question());
        assertThat(question.kind()).isEqualTo(QuestionKind.RESULT_NOT_KEPT);
        return question.because();
    }

    @Test
    void standard_output_above_a_mebibyte_is_happened_and_not_kept() throws Exception {
        var job = effect(Contract.none(), call("yes talk | head -c 3000000"));
        assertThat(notKept(job)).contains("it wrote 3000000 bytes to its standard output", "PAWL_RESULT");
        assertThat(log(job)).hasSize(Entry.Logged.MOST_CHARS);
    }

    @Test
    void a_step_that_says_too_much_on_its_standard_output_fails_with_the_sentence() throws Exception {
        assertThat(failed(step(call("echo run >> runs; yes talk | head -c 3000000"))))
                .contains("it wrote 3000000 bytes to its standard output");
        assertThat(Files.readAllLines(root.resolve("runs"))).as("and once").hasSize(1);
    }

    @Test
    void who_wants_no_result_may_be_told_as_much_as_there_is() throws Exception {
        var much = call("yes talk | head -c 3000000");
        var job = effect(
                Contract.none(),
                new CommandCall(much.order(), much.input(), much.reading().withoutResult()));
        assertThat(result(job)).isEqualTo("null");
    }

    @Test
    void output_that_a_full_disk_has_lost_is_happened_and_not_kept() throws Exception {
        full = true;
        var job = effect(Contract.none(), call("echo run >> runs; echo '{\"id\":1}'"));
        assertThat(notKept(job)).contains("of which 0 are there", "No space left on device");
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
    }

    @Test
    void a_command_for_which_nothing_can_be_laid_out_is_not_begun_spends_no_attempt_and_leaves_no_doubt()
            throws Exception {
        Files.createFile(root.resolve("commands"));
        var engine = engine((job, input) ->
                commands.effect(job, Named.named("e"), Contract.none(), call("echo run >> runs; echo $PAWL_ATTEMPT")));
        engine.submit(JOB, "{}");
        var id = store.find(JOB).orElseThrow().id();
        while (store.job(id).orElseThrow().state() != JobState.WAITING) {
            Time.system().await(Duration.ofMillis(10));
        }
        assertThat(store.journal(id)).noneMatch(line -> line.entry() instanceof Entry.Intended);
        var gate = store.gates().getFirst();
        assertThat(gate.text(1, "")).contains("e could not be laid out", "commands", "it opens by itself");
        engine.close();
        Files.delete(root.resolve("commands"));
        store.exchange(List.of(new Change.OpenGate(gate.name(), gate.closings(), null)), Wanted.NOTHING);
        var next = engine((job, input) ->
                commands.effect(job, Named.named("e"), Contract.none(), call("echo run >> runs; echo $PAWL_ATTEMPT")));
        var job = next.await(id, LONGER).orElseThrow();
        assertThat(result(job)).isEqualTo("1");
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
    }

    @Test
    void a_step_whose_output_a_full_disk_has_lost_is_tried_again() throws Exception {
        full = true;
        var job = step(call("echo run >> runs; test $PAWL_ATTEMPT = 3 || echo '{\"id\":1}'"));
        assertThat(result(job)).isEqualTo("null");
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(3);
    }

    @Test
    void a_look_up_whose_words_are_lost_tells_nothing() throws Exception {
        full = true;
        Workflow.Body<JsonNode, JsonNode> body = (job, input) -> commands.effect(
                job,
                Named.named("e"),
                Contract.verifiable(commands.verify(job, Named.named("e"), call("echo '{\"happened\":false}'"))),
                call("exit 1"));
        var engine = engine(body);
        engine.submit(JOB, "{}");
        while (store.journal(store.find(JOB).orElseThrow().id()).stream()
                .noneMatch(line -> line.entry() instanceof Entry.CouldNotTell told
                        && told.why().contains("of the look-up nothing can be read"))) {
            Time.system().await(Duration.ofMillis(10));
        }
    }

    @Test
    void a_result_that_is_too_long_is_not_kept_and_has_happened_all_the_same() throws Exception {
        var job = effect(Contract.none(), call(TOO_LONG));
        assertThat(Objects.requireNonNull(job.outcome().question()).kind()).isEqualTo(QuestionKind.RESULT_NOT_KEPT);
        assertThat(store.journal(job.id()).stream().map(line -> line.entry()))
                .filteredOn(Entry.Answered.class::isInstance)
                .extracting(entry -> ((Entry.Answered) entry).answer())
                .singleElement()
                .matches(answer -> answer instanceof Answer.Happened happened && !happened.kept());
    }

    @Test
    void a_step_whose_result_is_too_long_fails_with_a_sentence() throws Exception {
        var step = step(call(TOO_LONG));
        assertThat(step.state()).isEqualTo(JobState.FAILED);
        assertThat(Objects.requireNonNull(step.outcome().failure()).failure().message())
                .contains("characters; the most is");
    }

    private Cost used(String script) throws Exception {
        var job = step(call(script));
        assertThat(result(job)).isEqualTo("null");
        return store.spent(LocalDate.EPOCH).stream().map(Spent::cost).reduce(Cost.NOTHING, Cost::plus);
    }

    @Test
    void what_it_used_is_counted_and_a_line_that_is_wrong_is_a_use_whose_cost_nobody_knows() throws Exception {
        var cost = used("printf '%s\\n"
                + "' '{\"model\":\"m\",\"input\":3,\"output\":4,\"nanoUsd\":500}' 'rubbish' '[1]' > $PAWL_USAGE");
        assertThat(cost.nanoUsd()).isEqualTo(500);
        assertThat(cost.tokens().all()).isEqualTo(7);
        assertThat(cost.unknown().unpriced()).isEqualTo(2);
    }

    @Test
    void a_usage_file_that_is_too_long_to_be_read_is_an_unknown_cost() throws Exception {
        assertThat(used("head -c 5000000 /dev/zero | tr '\\0' ' ' > $PAWL_USAGE")
                        .unknown()
                        .unpriced())
                .isEqualTo(1);
    }

    @Test
    void a_step_that_fails_is_tried_again_and_given_up_when_it_says_so() throws Exception {
        var job = step(call("echo $PAWL_ATTEMPT >> tries; test $PAWL_ATTEMPT = 3"));
        assertThat(result(job)).isEqualTo("null");
        assertThat(Files.readAllLines(root.resolve("tries"))).containsExactly("1", "2", "3");
    }

    @Test
    void a_permanent_exit_is_tried_once() throws Exception {
        var job = step(call("echo once >> tries; echo no such account >&2; exit 65"));
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(Objects.requireNonNull(job.outcome().failure()).failure().message())
                .isEqualTo("exit 65: no such account");
        assertThat(ended).containsExactly("PERMANENT 65 exit 65: no such account");
    }

    @Test
    void what_ends_with_its_time_is_all_that_it_started_also_in_a_session_of_its_own() throws Exception {
        var script = "setsid sh -c 'echo $$ > child; exec sleep 600' & "
                + "(setsid sh -c 'echo $$ > orphan; exec sleep 600' &); touch begun; sleep 600";
        var order = new Order(List.of("sh", "-c", script), root, Map.of(), Duration.ofSeconds(3));
        assertThat(because(effect(Contract.none(), new CommandCall(order, "", CommandCall.Reading.USUAL))))
                .contains("its time was up");
        for (var name : List.of("child", "orphan")) {
            var pid = Long.parseLong(Files.readString(root.resolve(name)).strip());
            assertThat(ProcessHandle.of(pid).filter(one -> !Started.isGone(one)))
                    .as(name)
                    .isEmpty();
        }
    }

    @Test
    void what_another_pawl_has_begun_that_it_called_is_left_alone() throws Exception {
        // Who calls itself a minder is one, and what it started is its own.
        var script =
                "(PAWL_MINDER=1 setsid sh -c 'setsid sh -c \"echo \\$\\$ > inner; exec sleep 600\" & wait' &); sleep 600";
        var order = new Order(List.of("sh", "-c", script), root, Map.of(), Duration.ofSeconds(3));
        assertThat(because(effect(Contract.none(), new CommandCall(order, "", CommandCall.Reading.USUAL))))
                .contains("its time was up");
        var inner = ProcessHandle.of(
                        Long.parseLong(Files.readString(root.resolve("inner")).strip()))
                .orElseThrow();
        assertThat(Started.isGone(inner)).isFalse();
        inner.parent().ifPresent(ProcessHandle::destroyForcibly);
        inner.destroyForcibly();
    }

    @Test
    void a_pipe_in_the_place_of_its_log_keeps_nobody_waiting() throws Exception {
        var job = effect(
                Contract.none(), call("d=$(dirname $PAWL_RESULT); rm -f $d/log; mkfifo $d/log; echo 7 > $PAWL_RESULT"));
        assertThat(result(job)).isEqualTo("7");
    }

    @Test
    void a_result_that_is_no_file_is_not_kept() throws Exception {
        assertThat(notKept(effect(Contract.none(), call("mkdir $PAWL_RESULT")))).contains("PAWL_RESULT is no file");
    }

    @Test
    void what_a_broken_look_up_says_is_told() throws Exception {
        var looksUp = call("echo 'the look-up is broken' >&2; exit 3");
        var engine = engine((job, input) -> commands.effect(
                job,
                Named.named("e"),
                Contract.verifiable(commands.verify(job, Named.named("e"), looksUp)),
                call("exit 79")));
        engine.submit(JOB, "{}");
        var id = store.find(JOB).orElseThrow().id();
        while (store.job(id).orElseThrow().state() != JobState.WAITING) {
            Time.system().await(Duration.ofMillis(10));
        }
        assertThat(store.journal(id).toString())
                .contains("the look-up did not exit with 0: exit 3: the look-up is broken");
    }

    @Test
    void a_time_that_was_up_is_told_as_people_say_it() throws Exception {
        var order = new Order(List.of("sleep", "600"), root, Map.of(), Duration.ofMillis(50));
        var job = effect(Contract.none(), new CommandCall(order, "", CommandCall.Reading.USUAL));
        assertThat(because(job)).containsPattern("its time was up, after \\d[\\d.ms ]*s");
    }

    @Test
    void an_effect_whose_exit_nobody_knows_asks_and_says_how_to_teach_it() throws Exception {
        var job = effect(Contract.none(), call("echo half done; exit 1"));
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        assertThat(because(job)).contains("exit 1: half done", "--exit 1=transient");
    }

    @Test
    void a_code_that_was_taught_is_believed() throws Exception {
        var job = effect(Contract.none(), call("test $PAWL_ATTEMPT = 2 || exit 1", Map.of(1, Meaning.TRANSIENT)));
        assertThat(result(job)).isEqualTo("null");
    }

    @Test
    void a_program_that_is_not_there_never_ran() throws Exception {
        var order = new Order(List.of("./missing"), root, Map.of(), LONG);
        var job = effect(Contract.none(), new CommandCall(order, "", CommandCall.Reading.USUAL));
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(Objects.requireNonNull(job.outcome().failure()).failure().message())
                .contains("could not be started", "./missing");
    }

    /** Runs a command as an effect without a contract, where the minder's jars are in {@code jars}. */
    private String notSent(Path jars) throws Exception {
        commands.close();
        commands = commands("this-boot", new MinderJars(jars));
        var job = effect(Contract.none(), call("touch ran"));
        assertThat(job.state()).as("%s", job.outcome()).isEqualTo(JobState.FAILED);
        assertThat(root.resolve("ran")).doesNotExist();
        return Objects.requireNonNull(job.outcome().failure()).failure().message();
    }

    @Test
    void a_command_whose_minders_jars_are_gone_is_not_sent_and_leaves_no_doubt() throws Exception {
        assertThat(notSent(root.resolve("moved-away")))
                .contains("could not be given to a minder", "there is no folder " + root.resolve("moved-away"));
        assertThat(Minders.trouble(new MinderJars(root))).contains("there is no pawl-command in " + root);
        assertThat(Minders.trouble()).isNull();
    }

    @Test
    void a_minder_that_dies_before_it_takes_an_order_has_sent_nothing_and_its_words_are_told() throws Exception {
        var jars = Files.createDirectory(root.resolve("jars"));
        Files.createFile(jars.resolve("pawl-command-1.jar"));
        Files.createFile(jars.resolve("pawl-core-1.jar"));
        assertThat(notSent(jars)).contains("it was never started; its minder ended with exit 1: Error: ", "Minder");
        assertThat(Minders.trouble(new MinderJars(jars))).contains("a minder ends at once; its minder ended");
    }

    @Test
    void a_verify_that_says_so_settles_and_everything_else_does_not() throws Exception {
        Workflow.Body<JsonNode, JsonNode> body = (job, input) -> {
            var name = Named.named("e");
            Contract<JsonNode> contract = Contract.verifiable(commands.verify(
                    job, name, call("echo \"{\\\"happened\\\":true,\\\"result\\\":\\\"$PAWL_KEY\\\"}\"")));
            return commands.effect(job, name, contract, call("exit 1"));
        };
        assertThat(result(ran(body))).matches("\"[0-9a-f]{32}\"");
    }
}
