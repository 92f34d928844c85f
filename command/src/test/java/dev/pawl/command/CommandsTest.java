package dev.pawl.command;

import static dev.pawl.command.MindersTest.UNTIL_GO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Cost;
import dev.pawl.cost.Spent;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Contract;
import dev.pawl.engine.local.EngineOptions;
import dev.pawl.engine.local.EnginePorts;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.event.Event;
import dev.pawl.job.JobState;
import dev.pawl.job.Named;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Logs;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.retry.Retry;
import dev.pawl.store.Change;
import dev.pawl.store.StoredJob;
import dev.pawl.store.Wanted;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Commands as steps and effects of real jobs; what a minder knows settles what it can. */
class CommandsTest {
    private static final String TOO_LONG = "echo noise; head -c 20000000 /dev/zero | tr '\\0' x > $PAWL_RESULT";

    private static final Workflow<JsonNode, JsonNode> W = Workflow.named("w", JsonNode.class, JsonNode.class);
    private static final Identity JOB = new Identity("w", Key.of("x"));
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration LONGER = Duration.ofMinutes(4);

    @TempDir
    private Path root;

    private final MemoryStore store = new MemoryStore(Time.system());
    private final List<String> ended = new ArrayList<>();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final List<LocalEngine> engines = new ArrayList<>();
    private final CountDownLatch again = new CountDownLatch(1);

    /** Whether the disk is full for whatever commands write. */
    private boolean full;

    private final Commands.Watcher watcher = new Commands.Watcher() {
        @Override
        public void begins(Path folder) {
            if (full) {
                fill(Folder.at(folder).output());
            }
        }

        @Override
        public void ended(Identity identity, Meaning meaning, Exit exit, String says) {
            ended.add(meaning + " " + exit.code() + " " + says);
        }
    };

    private static void fill(Path file) {
        try {
            Files.createSymbolicLink(file, Path.of("/dev/full"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("NullAway.Init")
    private Commands commands;

    @BeforeEach
    void start() throws IOException {
        commands = commands("this-boot");
    }

    private Commands commands(String boot) throws IOException {
        return commands(boot, MinderJars.ofLauncher());
    }

    private Commands commands(String boot, MinderJars jars) throws IOException {
        return commands(Time.system(), boot, jars);
    }

    private Commands commands(Time time, String boot, MinderJars jars) throws IOException {
        return commands(time, new Start("this-host", "1", boot), jars);
    }

    private Commands commands(Time time, Start now, MinderJars jars) {
        return new Commands(
                time,
                () -> List.of(root.resolve("commands"), root.resolve("earlier")),
                watcher,
                Relay.NOBODY,
                now,
                jars);
    }

    @AfterEach
    void stop() throws IOException {
        MindersTest.go(root);
        engines.forEach(LocalEngine::close);
        commands.close();
        MindersTest.awaitNoMinder();
        store.close();
    }

    private CommandCall call(String script, Map<Integer, Meaning> taught, String... secrets) {
        return new CommandCall(
                new Order(List.of("sh", "-c", script), root, Map.of("MORE", "more"), LONG),
                "{\"row\":1}",
                new CommandCall.Reading(taught, Secrets.of(List.of(secrets))));
    }

    private CommandCall call(String script) {
        return call(script, Map.of());
    }

    private LocalEngine engine(Workflow.Body<JsonNode, JsonNode> body) {
        return engine(Time.system(), Duration.ofSeconds(30), body);
    }

    private LocalEngine engine(Time time, Duration term, Workflow.Body<JsonNode, JsonNode> body) {
        var system = EnginePorts.system(events::add);
        var engine = new LocalEngine(
                store,
                new EnginePorts(time, system.threads(), system.random(), system.events()),
                EngineOptions.usual("test")
                        .term(term)
                        .grace(Duration.ofMillis(100))
                        .poll(Duration.ofMillis(20)));
        engines.add(engine);
        engine.work(List.of(W.implementedBy(body).retry(new Retry(3, Duration.ofMillis(1), Duration.ofMillis(10)))));
        return engine;
    }

    private StoredJob ran(Workflow.Body<JsonNode, JsonNode> body) throws InterruptedException {
        var engine = engine(body);
        engine.submit(JOB, "{}");
        return engine.await(store.find(JOB).orElseThrow().id(), LONGER).orElseThrow();
    }

    private StoredJob effect(Contract<JsonNode> contract, CommandCall call) throws InterruptedException {
        return ran((job, input) -> commands.effect(job, Named.named("e"), contract, call));
    }

    private StoredJob step(CommandCall call) throws InterruptedException {
        return ran((job, input) -> commands.step(job, Named.named("s"), call));
    }

    private @Nullable String result(StoredJob job) {
        assertThat(job.state()).as("%s", job.outcome()).isEqualTo(JobState.DONE);
        return job.outcome().result();
    }

    private String log(StoredJob job) {
        return Logs.whole(store.journal(job.id())).stream()
                .map(line -> line.entry())
                .filter(Entry.Logged.class::isInstance)
                .map(entry -> ((Entry.Logged) entry).text())
                .reduce("", String::concat);
    }

    private static String because(StoredJob job) {
        var question = Objects.requireNonNull(job.outcome().question());
        assertThat(question.kind()).isEqualTo(QuestionKind.IN_DOUBT);
        return question.because();
    }

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

    private static String failed(StoredJob job) {
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        return Objects.requireNonNull(job.outcome().failure()).failure().message();
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

    @Test
    void secrets_are_masked_in_whatever_is_kept() throws Exception {
        var job = step(
                call("echo the token is hunter22-hunter; echo hunter22-hunter >&2", Map.of(), "hunter22-hunter", "e"));
        assertThat(result(job)).isEqualTo("\"the token is ***\"");
        assertThat(log(job)).contains("***").doesNotContain("hunter22");
    }

    private static final String KEY = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\n-----END KEY-----\n";

    /** A call whose command finds a key in a file: its words do not hold it. */
    private CommandCall callWithKey(String script) throws IOException {
        Files.writeString(root.resolve("key"), KEY);
        return call(
                "as_json() { printf '{\"key\":\"'; sed 's/$/\\\\n/' key | tr -d '\\n'; printf '\",\"n\":1}'; }; "
                        + script,
                Map.of(),
                KEY);
    }

    private void nothingRawIsIn(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as("%s", file)
                        .doesNotContain("MIIEvQ");
            }
        }
    }

    @Test
    void a_key_of_several_lines_is_masked_in_a_result_that_is_json() throws Exception {
        var job = step(callWithKey("as_json; as_json >&2; cat key >&2"));
        assertThat(result(job)).isEqualTo("{\"key\":\"***\\n\",\"n\":1}");
        assertThat(log(job)).contains("***").doesNotContain("MIIEvQ");
    }

    @Test
    void a_key_is_masked_in_whatever_else_a_command_says() throws Exception {
        var said = callWithKey(
                "as_json > $PAWL_RESULT; printf '{\"model\":\"%s\",\"nanoUsd\":5}' MIIEvQIBADANBgkqhkiG9w0BAQEF > $PAWL_USAGE; "
                        + "printf '{\"class\":\"permanent\",\"why\":\"no %s\"}' MIIEvQIBADANBgkqhkiG9w0BAQEF > $PAWL_FAILURE; exit 1");
        var job = step(said);
        assertThat(Objects.requireNonNull(job.outcome().failure()).failure().message())
                .isEqualTo("exit 1: no ***");
        assertThat(store.journal(job.id()).toString()).contains("model=***").doesNotContain("MIIEvQ");
    }

    @Test
    void while_a_job_is_paused_no_secret_is_in_the_folder_of_its_command() throws Exception {
        var job = effect(Contract.none(), callWithKey("as_json > $PAWL_RESULT; cat key; cat key >&2; exit 79"));
        assertThat(because(job)).contains("exit 79").doesNotContain("MIIEvQ");
        assertThat(log(job)).contains("***").doesNotContain("MIIEvQ");
        nothingRawIsIn(root.resolve("commands"));
    }

    @Test
    void nor_is_one_when_its_minder_was_killed() throws Exception {
        var job = takenOver(
                Contract.none(),
                callWithKey("as_json > $PAWL_RESULT; cat key; touch begun; " + UNTIL_GO),
                MindersTest::killTheMinder);
        assertThat(because(job)).contains("its minder was killed");
        nothingRawIsIn(root.resolve("commands"));
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

    // ---- what a command says beyond its exit code

    private static String says(String failure) {
        return "echo run >> runs; printf '%s' '" + failure + "' > $PAWL_FAILURE; exit 1";
    }

    private int runs() throws IOException {
        return Files.readAllLines(root.resolve("runs")).size();
    }

    @Test
    void a_command_may_say_that_it_was_refused_by_whom_and_for_how_long() throws Exception {
        var job = effect(
                Contract.none(),
                call("test $PAWL_ATTEMPT = 2 || { "
                        + says(
                                "{\"class\":\"transient\",\"status\":429,\"provider\":\"github\",\"retryAfter\":\"10ms\",\"why\":\"slow"
                                        + " down\"}")
                        + "; }"));
        assertThat(result(job)).isEqualTo("null");
        assertThat(events.stream().map(Event::line).toList().toString())
                .contains(
                        "event=attempt-failed",
                        "code=http-429 provider=github status=429",
                        "github said 429: slow down");
    }

    @Test
    void a_command_may_say_that_it_will_never_succeed() throws Exception {
        var job = effect(
                Contract.none(),
                call(says("{\"class\":\"permanent\",\"provider\":\"github\",\"why\":\"no such repository\"}")));
        assertThat(failed(job)).isEqualTo("exit 1: github: no such repository");
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void an_effect_in_doubt_is_tried_again_no_sooner_than_its_command_says() throws Exception {
        var engine = engine((job, input) -> commands.effect(
                job,
                Named.named("e"),
                Contract.idempotent(),
                call(says("{\"class\":\"transient\",\"status\":503,\"retryAfter\":\"2h\"}"))));
        var began = Time.system().now();
        engine.submit(JOB, "{}");
        var job = store.find(JOB).orElseThrow();
        while (!Files.exists(root.resolve("runs")) || job.state() == JobState.RUNNING) {
            Thread.onSpinWait();
            job = store.find(JOB).orElseThrow();
        }
        assertThat(job.standing().times().due()).isAfter(began.plus(Duration.ofHours(2)));
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
    void what_providers_say_of_waiting_is_understood_as_they_say_it() throws Exception {
        var file = root.resolve("failure");
        for (var wait : List.of("3", "\"3\"", "\"3s\"", "3.0", "\"3.000s\"")) {
            Files.writeString(file, "{\"class\":\"Transient\",\"status\":\"429\",\"retryAfter\":" + wait + "}");
            var said = Objects.requireNonNull(FailureFile.in(file, Secrets.NONE));
            assertThat(said.retryAfter()).as(wait).isEqualTo(Duration.ofSeconds(3));
            assertThat(said.status()).isEqualTo(429);
            assertThat(said.meaning()).isEqualTo(Meaning.TRANSIENT);
        }
    }

    @Test
    void a_time_that_was_up_is_told_as_people_say_it() throws Exception {
        var order = new Order(List.of("sleep", "600"), root, Map.of(), Duration.ofMillis(50));
        var job = effect(Contract.none(), new CommandCall(order, "", CommandCall.Reading.USUAL));
        assertThat(because(job)).containsPattern("its time was up, after \\d[\\d.ms ]*s");
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 409, 500, 503})
    void after_a_status_that_tells_nothing_an_effect_stays_in_doubt_whatever_its_class(int status) throws Exception {
        var job = effect(Contract.none(), call(says("{\"class\":\"transient\",\"status\":" + status + "}")));
        assertThat(because(job)).contains("exit 1: said " + status);
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void a_step_is_tried_again_after_any_status() throws Exception {
        assertThat(failed(step(call(
                        says("{\"status\":503,\"why\":\"the token is hunter22-hunter\"}"),
                        Map.of(),
                        "hunter22-hunter"))))
                .isEqualTo("exit 1: said 503: the token is ***");
        assertThat(runs()).isEqualTo(3);
    }

    @Test
    void what_is_no_failure_that_can_be_read_is_not_believed_and_the_exit_code_decides() throws Exception {
        var job = effect(Contract.none(), call(says("{\"class\":\"transitory\"}")));
        assertThat(because(job)).contains("exit 1", "PAWL_FAILURE is not believed: its class is not transient");
    }

    @Test
    void a_success_is_not_overruled_by_what_was_written_before() throws Exception {
        assertThat(result(effect(Contract.none(), call("echo '{\"class\":\"permanent\"}' > $PAWL_FAILURE"))))
                .isEqualTo("null");
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

    // ---- what a process that is gone has begun

    /** Begins the effect in one engine, and lets another one take it over while the command runs. */
    private StoredJob takenOver(Contract<JsonNode> contract, CommandCall call, Runnable between) throws Exception {
        var first = engine((job, input) -> commands.effect(job, Named.named("e"), contract, call));
        first.submit(JOB, "{}");
        MindersTest.until("begun", root);
        first.close();
        between.run();
        var second = engine((job, input) -> {
            again.countDown();
            return commands.effect(job, Named.named("e"), contract, call);
        });
        return second.await(store.find(JOB).orElseThrow().id(), LONGER).orElseThrow();
    }

    /** Lets the command end once the second engine has the job. */
    private void goLater() {
        Thread.ofVirtual().start(() -> {
            try {
                again.await();
                MindersTest.go(root);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Test
    void a_command_that_still_runs_is_waited_for_and_not_run_again() throws Exception {
        var job = takenOver(
                Contract.none(), call("echo run >> runs; touch begun; " + UNTIL_GO + "echo '\"done\"'"), this::goLater);
        assertThat(result(job)).isEqualTo("\"done\"");
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
    }

    @Test
    void a_thawed_worker_does_not_start_a_steps_command_again() throws Exception {
        var frozen = new FreezingTime();
        var call = call("echo run >> runs; touch begun; until test -e go; do sleep 0.02; done; echo '\"done\"'");
        commands.close();
        commands = commands(frozen, "this-boot", MinderJars.ofLauncher());
        try (var others = commands("this-boot")) {
            var left = new CountDownLatch(1);
            var first = engine(frozen, Duration.ofSeconds(1), (job, input) -> {
                try {
                    return commands.step(job, Named.named("s"), call);
                } finally {
                    left.countDown();
                }
            });
            first.submit(JOB, "{}");
            MindersTest.until("begun", root);
            frozen.freeze();
            var second = engine(
                    Time.system(), Duration.ofSeconds(1), (job, input) -> others.step(job, Named.named("s"), call));
            var number = store.find(JOB).orElseThrow().id();
            while (store.find(JOB).orElseThrow().standing().fence() == 1) {
                Time.system().await(Duration.ofMillis(10));
            }
            Files.createFile(root.resolve("go"));
            assertThat(result(second.await(number, LONG).orElseThrow())).isEqualTo("\"done\"");
            frozen.thaw();
            assertThat(left.await(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
    }

    /** Waits until a command's folder has this in its log, and returns what it has. */
    private String logged(String text) {
        var key = EffectKey.of(JOB, new Place("", "e", ""), 0);
        try {
            while (true) {
                var fence = store.find(JOB).orElseThrow().standing().fence();
                for (var earlier = 1; earlier <= fence; earlier++) {
                    var written = Commands.written(List.of(root.resolve("commands")), key, 1, earlier);
                    if (written.contains(text)) {
                        return written;
                    }
                }
                Time.system().await(Duration.ofMillis(10));
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void what_a_killed_command_wrote_and_what_it_was_asked_is_there_for_whoever_is_asked_about_it() throws Exception {
        var call = call("echo half of it; touch begun; : hunter22-hunter; " + UNTIL_GO, Map.of(), "hunter22-hunter");
        var job = takenOver(Contract.none(), call, () -> {
            assertThat(logged("half of it")).isEqualTo("half of it\n");
            MindersTest.killTheMinder();
        });
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        assertThat(log(job)).endsWith("half of it\n");
        var request = store.journal(job.id()).stream()
                .map(line -> line.entry())
                .filter(Entry.Intended.class::isInstance)
                .map(entry -> ((Entry.Intended) entry).notes().request())
                .findFirst()
                .orElseThrow();
        var shown = ShownCommand.in(Objects.requireNonNull(request)).orElseThrow();
        assertThat(shown.line()).startsWith("sh -c 'echo half of it; ").contains(": ***;");
        assertThat(shown.directory()).isEqualTo(root.toString());
        assertThat(shown.given()).containsExactly("MORE=more");
        assertThat(shown.input()).isEqualTo("{\"row\":1}");
        assertThat(ShownCommand.in("{\"command\":1}")).isEmpty();
        assertThat(ShownCommand.in("{\"cut…")).isEmpty();
    }

    @Test
    void a_command_whose_minder_was_killed_is_asked_about() throws Exception {
        var job = takenOver(
                Contract.none(), call("echo run >> runs; touch begun; " + UNTIL_GO), MindersTest::killTheMinder);
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        assertThat(because(job)).contains("its minder was killed");
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
    }

    @Test
    void after_the_machine_was_started_again_what_ran_is_in_doubt_and_what_had_ended_is_known() throws Exception {
        var job = takenOver(Contract.none(), call("touch begun; " + UNTIL_GO), () -> {
            MindersTest.killTheMinder();
            startAgain();
        });
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        assertThat(because(job)).contains("the machine was started again");
    }

    @Test
    void an_end_that_was_known_before_the_machine_was_started_again_is_known_after() throws Exception {
        var job = takenOver(Contract.none(), call("touch begun; " + UNTIL_GO + "echo '\"before\"'"), () -> {
            MindersTest.go(root);
            untilEndedIn("this-host.1.this-boot");
            startAgain();
        });
        assertThat(result(job)).isEqualTo("\"before\"");
    }

    private static boolean endedIn(Path home) {
        try (var keys = Files.list(home)) {
            return Folder.at(keys.findFirst().orElseThrow().resolve("1-1")).look() instanceof Folder.Sight.Ended;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void startAgain() {
        goOnAs(new Start("this-host", "1", "another-boot"));
    }

    private void goOnAs(Start now) {
        try {
            commands.close();
            commands = commands(Time.system(), now, MinderJars.ofLauncher());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_command_that_another_machine_has_begun_in_the_same_folder_is_out_of_reach_and_not_over() throws Exception {
        var job = takenOver(
                Contract.none(),
                call("touch begun; " + UNTIL_GO),
                () -> goOnAs(new Start("other-host", "2", "another-boot")));
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        assertThat(because(job)).contains("it was begun on another machine, this-host, and may still run there");
        assertThat(store.journal(job.id()).stream().map(line -> line.entry()))
                .as("nobody says that it has ended")
                .noneMatch(Entry.ActEnded.class::isInstance);
        assertThat(new Folders(List.of(root.resolve("commands")), new Start("other-host", "2", "x")).otherMachines())
                .containsExactly("this-host");
    }

    @Test
    void a_command_that_is_seen_to_run_is_not_over_whatever_its_machine_is_called() throws Exception {
        var job = takenOver(Contract.none(), call("touch begun; " + UNTIL_GO), this::startAgain);
        assertThat(because(job)).contains("it is seen to run", "another machine of the same name");
    }

    @Test
    void an_end_that_another_machine_knows_is_known_here_too() throws Exception {
        var job = takenOver(Contract.none(), call("touch begun; " + UNTIL_GO + "echo '\"there\"'"), () -> {
            MindersTest.go(root);
            untilEndedIn("this-host.1.this-boot");
            goOnAs(new Start("other-host", "2", "another-boot"));
        });
        assertThat(result(job)).isEqualTo("\"there\"");
    }

    @Test
    void what_an_earlier_state_laid_out_without_a_machine_or_under_another_root_is_found() throws Exception {
        var job = takenOver(
                Contract.none(), call("echo run >> runs; touch begun; " + UNTIL_GO + "echo '\"before\"'"), () -> {
                    MindersTest.go(root);
                    untilEndedIn("this-host.1.this-boot");
                    move("commands/this-host.1.this-boot", "earlier/this-boot");
                });
        assertThat(result(job)).isEqualTo("\"before\"");
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
        assertThat(root.resolve("earlier/this-boot")).isEmptyDirectory();
    }

    /** What the machine that began it knows by now, told through the engine of whoever is there. */
    private boolean toldByTheFirstMachine() throws IOException {
        var folders = new Folders(List.of(root.resolve("commands")), new Start("this-host", "1", "later-boot"));
        var news = false;
        for (var end : folders.ends()) {
            news |= engines.getLast().tell(end);
        }
        return news;
    }

    @Test
    void the_machine_that_knows_how_an_attempt_ended_says_so_after_another_has_asked() throws Exception {
        var job = takenOver(
                Contract.none(),
                call(
                        "touch begun; until test -e go; do sleep 0.02; done; echo '\"there\"'; exit 3",
                        Map.of(3, Meaning.DONE)),
                () -> goOnAs(new Start("other-host", "2", "another-boot")));
        assertThat(because(job)).contains("it was begun by test");
        assertThat(toldByTheFirstMachine()).as("it still runs").isFalse();
        Files.createFile(root.resolve("go"));
        untilEndedIn("this-host.1.this-boot");
        assertThat(toldByTheFirstMachine()).isTrue();
        var done = engines.getLast().await(job.id(), LONG).orElseThrow();
        assertThat(result(done)).as("read as the call says that asked for it").isEqualTo("\"there\"");
        assertThat(toldByTheFirstMachine()).as("once").isFalse();
    }

    @Test
    void after_even_now_the_earlier_commands_late_exit_0_is_told_as_duplicated() throws Exception {
        var job = takenOver(
                Contract.none(),
                call("test $PAWL_ATTEMPT = 2 || { touch begun; until test -e go; do sleep 0.02; done; }"),
                () -> goOnAs(new Start("other-host", "2", "another-boot")));
        var question = Objects.requireNonNull(job.outcome().question());
        var evenNow = new Decision(Verdict.RETRY, null, true, new Audit("anna", "looked"));
        store.exchange(
                List.of(new Change.Decide(job.id(), Changes.unfenced(new Random(1)), question.id(), evenNow)),
                Wanted.NOTHING);
        assertThat(result(engines.getLast().await(job.id(), LONG).orElseThrow()))
                .isEqualTo("null");
        Files.createFile(root.resolve("go"));
        untilEndedIn("this-host.1.this-boot");
        assertThat(toldByTheFirstMachine()).isTrue();
        assertThat(store.journal(job.id()).stream().map(line -> line.entry()))
                .anyMatch(entry -> entry instanceof Entry.Duplicated twice && twice.number() == 1);
    }

    private void untilEndedIn(String start) {
        while (!endedIn(root.resolve("commands").resolve(start))) {
            Thread.onSpinWait();
        }
    }

    private void move(String from, String to) {
        try {
            Files.createDirectories(root.resolve(to).getParent());
            Files.move(root.resolve(from), root.resolve(to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void what_killed_processes_left_of_jobs_that_are_over_is_swept_away() throws Exception {
        var home = root.resolve("commands").resolve("this-host.1.this-boot");
        var over = Folder.at(home.resolve("a").resolve("1-1"));
        var open = Folder.at(home.resolve("b").resolve("1-1"));
        var nobody = Folder.at(home.resolve("c").resolve("1-1"));
        over.prepare(new Order(List.of("true"), root, Map.of("PAWL_JOB", "w/over"), LONG), new byte[0]);
        open.prepare(new Order(List.of("true"), root, Map.of("PAWL_JOB", "w/open"), LONG), new byte[0]);
        nobody.prepare(new Order(List.of("true"), root, Map.of(), LONG), new byte[0]);
        commands.sweep(List.of(), identity -> identity.key().equals(Key.of("over")));
        assertThat(over.look()).isEqualTo(new Folder.Sight.Absent());
        assertThat(open.look()).isEqualTo(new Folder.Sight.Prepared());
        assertThat(nobody.look()).isEqualTo(new Folder.Sight.Prepared());
    }

    @Test
    void what_ends_while_other_ends_are_told_is_not_swept_away_untold() throws Exception {
        takenOver(
                Contract.none(),
                call("touch begun; " + UNTIL_GO),
                () -> goOnAs(new Start("other-host", "2", "another-boot")));
        var folders = new Folders(List.of(root.resolve("commands")), new Start("this-host", "1", "this-boot"));
        var told = folders.ends();
        Files.createFile(root.resolve("go"));
        untilEndedIn("this-host.1.this-boot");
        folders.sweep(told, identity -> true);
        var next = folders.ends();
        assertThat(next).as("it is still to be told").hasSize(1);
        folders.sweep(next, identity -> true);
        assertThat(folders.ends()).isEmpty();
    }
}
