package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.command.Commands;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Verdict;
import dev.pawl.engine.local.EngineOptions;
import dev.pawl.engine.local.EnginePorts;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.event.Events;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Change;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Flows that run, with real commands. */
class FlowCodeTest {
    private static final Duration LONG = Duration.ofMinutes(4);

    @TempDir
    private Path root;

    private final MemoryStore store = new MemoryStore(Time.system());

    @SuppressWarnings("NullAway.Init")
    private Commands commands;

    @SuppressWarnings("NullAway.Init")
    private LocalEngine engine;

    @BeforeEach
    void start() throws IOException {
        commands = new Commands(Time.system(), root.resolve("commands"), (job, meaning, exit, says) -> {});
        engine = new LocalEngine(
                store,
                EnginePorts.system(Events.NOWHERE),
                EngineOptions.usual("test").poll(Duration.ofMillis(20)).grace(Duration.ofMillis(100)));
    }

    @AfterEach
    void stop() throws IOException {
        engine.close();
        commands.close();
        store.close();
    }

    private static JsonNode json(String text) {
        return Objects.requireNonNull(Json.read(text, JsonNode.class));
    }

    private Flow flow(String steps) {
        return FlowReader.read(
                root.resolve("flow.yaml"),
                "workflow: w\nkey: [input.id]\nretry: {attempts: 3, backoff: 1ms..10ms}\nsecrets: [TOKEN]\nsteps:\n"
                        + steps.indent(2));
    }

    private final List<String> changes = new CopyOnWriteArrayList<>();

    private Workflow.Implementation<JsonNode, JsonNode> code(Flow flow) {
        return FlowCode.of(
                flow, commands, Map.of("TOKEN", "sesame-open"), (job, change) -> changes.add(job + ": " + change));
    }

    private StoredJob ran(String input, String steps) throws InterruptedException {
        var flow = flow(steps);
        engine.work(List.of(code(flow)));
        var identity = new Identity("w", FlowCode.key(flow, json(input)));
        engine.submit(identity, Json.canonical(input));
        return ended(identity);
    }

    private StoredJob ended(Identity job) throws InterruptedException {
        return engine.await(store.find(job).orElseThrow().id(), LONG).orElseThrow();
    }

    private static JsonNode result(StoredJob job) {
        assertThat(job.state()).as("%s", job.outcome()).isEqualTo(JobState.DONE);
        return json(Objects.requireNonNull(job.outcome().result()));
    }

    @Test
    void a_step_reads_what_is_known_and_what_it_says_is_known_to_the_next() throws Exception {
        var job = ran("{\"id\":1,\"name\":\"anna; rm -rf /\"}", """
                - step: first
                  run: echo '{"n":2}'
                - step: second
                  run: [echo, "${results.first.n} ${input.name} $HOME"]
                - step: third
                  run: cat
                - step: fourth
                  run: cat
                  stdin: results.second
                - step: fifth
                  run: echo "$NAME"
                  env: {NAME: "${input.name}"}
                """);
        var results = result(job);
        assertThat(results.get("second").asString()).isEqualTo("2 anna; rm -rf / $HOME");
        assertThat(results.get("third").get("input").get("id").asInt()).isEqualTo(1);
        assertThat(results.get("third").get("results").get("first").get("n").asInt())
                .isEqualTo(2);
        assertThat(results.get("fourth").asString()).isEqualTo("2 anna; rm -rf / $HOME");
        assertThat(results.get("fifth").asString()).isEqualTo("anna; rm -rf /");
    }

    @Test
    void a_loop_goes_through_items_by_their_own_keys_and_keeps_their_results_apart() throws Exception {
        var job = ran("{\"id\":1,\"pages\":[{\"slug\":\"a\"},{\"slug\":\"b\"}]}", """
                - step: site
                  run: echo '"example.org"'
                - foreach: pages
                  in: input.pages
                  key: item.slug
                  steps:
                    - step: write
                      run: [echo, "${results.site}/${item.slug}"]
                    - step: check
                      run: [echo, "checked ${results.write}"]
                """);
        assertThat(result(job).get("pages").toString())
                .isEqualTo("[{\"write\":\"example.org/a\",\"check\":\"checked example.org/a\"},"
                        + "{\"write\":\"example.org/b\",\"check\":\"checked example.org/b\"}]");
    }

    @Test
    void what_is_no_list_and_what_has_no_key_fails_with_a_sentence() throws Exception {
        var job = ran("{\"id\":1,\"pages\":[{}]}", """
                - foreach: pages
                  in: input.pages
                  key: item.slug
                  steps: [{step: a, run: b}]
                """);
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(Objects.requireNonNull(job.outcome().failure()).failure().message())
                .contains("has no item.slug");
    }

    @Test
    void a_value_that_is_not_there_fails_with_its_path() throws Exception {
        var job = ran("{\"id\":1}", """
                - step: a
                  run: [echo, "${input.missing.deep}"]
                """);
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(Objects.requireNonNull(job.outcome().failure()).failure().message())
                .contains("there is no value input.missing.deep");
    }

    @Test
    void an_effect_is_settled_by_its_verify() throws Exception {
        var job = ran("{\"id\":1}", """
                - effect: open
                  run: echo run >> runs; echo "$PAWL_KEY" > landed; exit 1
                  verify: printf '{"happened":true,"result":"%s"}' "$(cat landed)"
                """);
        assertThat(result(job).get("open").asString()).matches("[0-9a-f]{32}");
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
    }

    @Test
    void an_approval_is_asked_for_the_effect_that_follows() throws Exception {
        var job = ran("{\"id\":1,\"what\":\"the news\"}", """
                - approve: may_announce
                  ask: "Announce ${input.what}?"
                - effect: announce
                  run: echo run >> runs
                """);
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        var question = Objects.requireNonNull(job.outcome().question());
        assertThat(question.because()).isEqualTo("Announce the news?");
        assertThat(root.resolve("runs")).doesNotExist();
        engine.change(new Change.Decide(
                job.id(), engine.newId(), question.id(), Decision.approve().by("anna", "fine")));
        assertThat(result(ended(job.identity())).get("announce").isNull()).isTrue();
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
    }

    @Test
    void a_flow_that_was_changed_under_a_job_is_shown_and_obeys_the_guards() throws Exception {
        var before = """
                - effect: first
                  contract: idempotent
                  run: echo 1
                - effect: second
                  run: exit 79
                """;
        var job = ran("{\"id\":1}", before);
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        assertThat(changes).isEmpty();
        engine.close();
        engine = new LocalEngine(
                store,
                EnginePorts.system(Events.NOWHERE),
                EngineOptions.usual("other").poll(Duration.ofMillis(20)).grace(Duration.ofMillis(100)));
        var now = flow("""
                - effect: second
                  run: exit 78
                - effect: third
                  run: echo 3
                """);
        engine.work(List.of(code(now)));
        var question = Objects.requireNonNull(job.outcome().question());
        engine.change(new Change.Decide(
                job.id(),
                engine.newId(),
                question.id(),
                new Decision(Verdict.DONE, "2", false, new Audit("anna", "I see it"))));
        var asks = engine.await(job.id(), LONG).orElseThrow();
        assertThat(changes)
                .containsExactly(
                        "w/1: the flow was changed since this job began: second says something else, third is new, first is gone");
        assertThat(asks.outcome().question())
                .as("what is new asks, because first was not met")
                .isNotNull();
        assertThat(Objects.requireNonNull(asks.outcome().question()).place().name())
                .isEqualTo("third");
    }

    /** Another process works with what the flow says by now. */
    private void changedTo(String steps) {
        engine.close();
        engine = new LocalEngine(
                store,
                EnginePorts.system(Events.NOWHERE),
                EngineOptions.usual("other").poll(Duration.ofMillis(20)).grace(Duration.ofMillis(100)));
        engine.work(List.of(code(flow(steps))));
    }

    private void decide(StoredJob job, Verdict verdict) {
        var question = Objects.requireNonNull(job.outcome().question());
        engine.change(new Change.Decide(
                job.id(), engine.newId(), question.id(), Decision.of(verdict).by("anna", "I looked")));
    }

    @Test
    void a_step_that_is_added_voids_no_approval() throws Exception {
        var job = ran("{\"id\":1}", """
                - approve: may_announce
                  ask: "Announce?"
                - effect: announce
                  run: echo run >> runs
                """);
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        changedTo("""
                - step: count
                  run: echo 42
                - approve: may_announce
                  ask: "Announce?"
                - effect: announce
                  run: echo run >> runs
                """);
        decide(job, Verdict.APPROVE);
        assertThat(result(ended(job.identity())).get("count").asInt()).isEqualTo(42);
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
    }

    @Test
    void a_step_that_is_added_makes_no_open_attempt_drift() throws Exception {
        var send = """
                - effect: send
                  run: echo run >> runs; exit 79
                  verify: touch asked; test -e there && echo '{"happened":true,"result":7}' || echo '{"askAgain":"10ms"}'
                """;
        var flow = flow(send);
        engine.work(List.of(code(flow)));
        var identity = new Identity("w", FlowCode.key(flow, json("{\"id\":1}")));
        engine.submit(identity, Json.canonical("{\"id\":1}"));
        while (!Files.exists(root.resolve("asked"))) {
            Time.system().await(Duration.ofMillis(5));
        }
        changedTo("- step: count\n  run: echo 42\n" + send);
        Files.createFile(root.resolve("there"));
        var job = ended(identity);
        assertThat(result(job).get("send").asInt()).isEqualTo(7);
        assertThat(store.journal(job.id())).noneMatch(line -> line.entry() instanceof Entry.Asked);
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
    }

    @Test
    void whoever_looks_into_a_result_that_is_text_is_told_that_it_is() throws Exception {
        var job = ran("{\"id\":1}", """
                - step: score
                  run: echo '{"score":NaN,"title":"x"}'
                - step: title
                  run: [echo, "${results.score.title}"]
                """);
        assertThat(Objects.requireNonNull(job.outcome().failure()).failure().message())
                .contains("there is no value results.score.title: what score said is a text, and no JSON object");
    }

    @Test
    void what_an_effect_names_is_its_request() throws Exception {
        var job = ran("{\"id\":1}", """
                - step: count
                  run: echo 42
                - approve: may_announce
                  ask: "Announce?"
                - effect: announce
                  run: cat >> runs
                  stdin: results.count
                """);
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        changedTo("""
                - step: count
                  run: echo 42
                - step: more
                  run: echo 43
                - approve: may_announce
                  ask: "Announce?"
                - effect: announce
                  run: cat >> runs
                  stdin: results.more
                """);
        decide(job, Verdict.APPROVE);
        var asks = ended(job.identity());
        assertThat(asks.state()).as("the yes was for another request").isEqualTo(JobState.PAUSED);
        assertThat(root.resolve("runs")).doesNotExist();
    }

    @Test
    void a_rename_is_told_as_one_and_voids_nothing() throws Exception {
        var job = ran("{\"id\":1}", """
                - effect: first
                  run: echo '{"n":1}'
                - approve: may_announce
                  ask: "Announce?"
                - effect: announce
                  run: echo run >> runs
                """);
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        changedTo("""
                - effect: begin
                  was: [first]
                  run: echo '{"n":1}'
                - approve: may_announce
                  ask: "Announce?"
                - effect: tell
                  was: [announce]
                  run: echo run >> runs
                """);
        decide(job, Verdict.APPROVE);
        assertThat(result(ended(job.identity())).get("begin").get("n").asInt()).isEqualTo(1);
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
        assertThat(changes)
                .containsExactly(
                        "w/1: the flow was changed since this job began: first is called begin now, announce is called tell now");
    }

    @Test
    void a_yes_that_was_asked_for_when_all_results_were_part_of_the_request_is_good_still() throws Exception {
        var steps = """
                - step: count
                  run: echo 42
                - approve: may_announce
                  ask: "Announce?"
                - effect: announce
                  run: echo run >> runs
                """;
        var asLongAgo = Map.of(
                "command",
                List.of("/bin/sh", "-c", "echo run >> runs"),
                "environment",
                Map.of(),
                "input",
                "{\"input\":{\"id\":1},\"results\":{\"count\":42}}\n");
        engine.work(List.of(Workflow.named("w", JsonNode.class, JsonNode.class).implementedBy((job, input) -> {
            job.step("pawl.flow", Outline.class, () -> Outline.of(flow(steps)));
            job.step("count", JsonNode.class, () -> json("42"));
            job.approve("announce", asLongAgo, "Announce?", Duration.ofHours(1));
            return input;
        })));
        var identity = new Identity("w", Key.of("1"));
        engine.submit(identity, "{\"id\":1}");
        var asks = ended(identity);
        assertThat(asks.state()).isEqualTo(JobState.PAUSED);
        changedTo(steps);
        decide(asks, Verdict.APPROVE);
        assertThat(ended(identity).state()).isEqualTo(JobState.DONE);
        assertThat(Files.readAllLines(root.resolve("runs"))).hasSize(1);
    }

    @Test
    void a_sleep_takes_a_while() throws Exception {
        var start = Time.system().nanos();
        result(ran("{\"id\":1}", "- sleep: a_while\n  for: 300ms\n- step: a\n  run: 'true'\n"));
        assertThat(Duration.ofNanos(Time.system().nanos() - start)).isGreaterThan(Duration.ofMillis(250));
    }

    @Test
    void a_secret_must_be_set_and_is_masked() throws Exception {
        var flow = flow("- step: a\n  run: 'true'\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FlowCode.of(flow, commands, Map.of(), (job, change) -> {}))
                .withMessageContaining("TOKEN");
        var job = ran("{\"id\":1}", "- step: a\n  run: echo sesame-open\n");
        assertThat(result(job).get("a").asString()).isEqualTo("***");
    }

    @Test
    void a_key_is_what_the_input_has_at_its_paths() {
        var flow = FlowReader.read(
                root.resolve("flow.yaml"), "workflow: w\nkey: [slot.date, input.n]\nsteps: [{step: a, run: b}]\n");
        assertThat(FlowCode.key(flow, json("{\"slot\":\"2026-04-12T11:55:00+02:00\",\"n\":1.50}")))
                .isEqualTo(Key.of("2026-04-12", "1.5"));
        assertThat(FlowCode.key(flow, json("{\"slot\":\"2026-04-12\",\"n\":\"x\"}")))
                .isEqualTo(Key.of("2026-04-12", "x"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FlowCode.key(flow, json("{\"n\":1}")))
                .withMessageContaining("--slot");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FlowCode.key(flow, json("{\"slot\":\"2026-04-12\",\"n\":{}}")))
                .withMessageContaining("--input");
    }
}
