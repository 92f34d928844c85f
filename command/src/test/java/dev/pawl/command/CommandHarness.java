package dev.pawl.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Contract;
import dev.pawl.engine.local.EngineOptions;
import dev.pawl.engine.local.EnginePorts;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.event.Event;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.job.Named;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Logs;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.StoredJob;
import dev.pawl.retry.Retry;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Commands as steps and effects of real jobs, with a real minder. */
abstract class CommandHarness {
    static final Workflow<JsonNode, JsonNode> W = Workflow.named("w", JsonNode.class, JsonNode.class);
    static final Identity JOB = new Identity("w", Key.of("x"));
    static final Duration LONG = Duration.ofMinutes(1);
    static final Duration LONGER = Duration.ofMinutes(4);

    @TempDir
    Path root;

    final MemoryStore store = new MemoryStore(Time.system());
    final List<String> ended = new CopyOnWriteArrayList<>();
    final List<Event> events = new CopyOnWriteArrayList<>();
    final List<LocalEngine> engines = new ArrayList<>();
    final CountDownLatch again = new CountDownLatch(1);

    /** Whether the disk is full for whatever commands write. */
    boolean full;

    final Commands.Watcher watcher = new Commands.Watcher() {
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

    static void fill(Path file) {
        try {
            Files.createSymbolicLink(file, Path.of("/dev/full"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("NullAway.Init")
    Commands commands;

    @BeforeEach
    void start() throws IOException {
        commands = commands("this-boot");
    }

    Commands commands(String boot) throws IOException {
        return commands(boot, MinderJars.ofLauncher());
    }

    Commands commands(String boot, MinderJars jars) throws IOException {
        return commands(Time.system(), boot, jars);
    }

    Commands commands(Time time, String boot, MinderJars jars) throws IOException {
        return commands(time, new Start("this-host", "1", boot), jars);
    }

    Commands commands(Time time, Start now, MinderJars jars) {
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

    CommandCall call(String script, Map<Integer, Meaning> taught, String... secrets) {
        return new CommandCall(
                new Order(List.of("sh", "-c", script), root, Map.of("MORE", "more"), LONG),
                "{\"row\":1}",
                new CommandCall.Reading(taught, Secrets.of(List.of(secrets))));
    }

    CommandCall call(String script) {
        return call(script, Map.of());
    }

    LocalEngine engine(Workflow.Body<JsonNode, JsonNode> body) {
        return engine(Time.system(), Duration.ofSeconds(30), body);
    }

    LocalEngine engine(Time time, Duration term, Workflow.Body<JsonNode, JsonNode> body) {
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

    static final String TRACED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    StoredJob ran(Workflow.Body<JsonNode, JsonNode> body) throws InterruptedException {
        var engine = engine(body);
        engine.submit(JOB, "{}", Handling.usual().traceparent(TRACED));
        return engine.await(store.find(JOB).orElseThrow().id(), LONGER).orElseThrow();
    }

    StoredJob effect(Contract<JsonNode> contract, CommandCall call) throws InterruptedException {
        return ran((job, input) -> commands.effect(job, Named.named("e"), contract, call));
    }

    StoredJob step(CommandCall call) throws InterruptedException {
        return ran((job, input) -> commands.step(job, Named.named("s"), call));
    }

    @Nullable
    String result(StoredJob job) {
        assertThat(job.state()).as("%s", job.outcome()).isEqualTo(JobState.DONE);
        return job.outcome().result();
    }

    String log(StoredJob job) {
        return Logs.whole(store.journal(job.id())).stream()
                .map(line -> line.entry())
                .filter(Entry.Logged.class::isInstance)
                .map(entry -> ((Entry.Logged) entry).text())
                .reduce("", String::concat);
    }

    static String because(StoredJob job) {
        var question = Objects.requireNonNull(job.outcome().question());
        assertThat(question.kind()).isEqualTo(QuestionKind.IN_DOUBT);
        return question.because();
    }

    static String failed(StoredJob job) {
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        return Objects.requireNonNull(job.outcome().failure()).failure().message();
    }

    /** Begins the effect in one engine, and lets another one take it over while the command runs. */
    StoredJob takenOver(Contract<JsonNode> contract, CommandCall call, Runnable between) throws Exception {
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
}
