package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static dev.pawl.effect.Contract.verifiable;
import static dev.pawl.job.Named.named;

import dev.pawl.cost.Prices;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.Verification;
import dev.pawl.engine.local.EngineOptions;
import dev.pawl.engine.local.EnginePorts;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.gate.Rate;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Message;
import dev.pawl.json.Json;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.lease.Taking;
import dev.pawl.ledger.LedgerPart.PartSeal;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.PartSealing;
import dev.pawl.ledger.PartSending;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowCount;
import dev.pawl.ledger.RowRef;
import dev.pawl.ledger.RowState;
import dev.pawl.ledger.RowWord;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FaultyStore;
import dev.pawl.testkit.FaultyStore.Fate;
import dev.pawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One night with one planned fault: the n-th exchange with the store fails, before or after it took effect, once or from then on until the
 * process is started again; and one more fault while it recovers. The workflows together make every kind of change.
 */
final class FaultLoop {

    /**
     * Which exchange fails, and how.
     *
     * @param nth the number of the first exchange that fails
     * @param fate how it fails
     * @param persistent whether all later ones fail too, until the process is started again
     * @param inRecovery which exchange after that start fails as well; 0 for none
     */
    record Fault(int nth, Fate fate, boolean persistent, int inRecovery) {}

    private static final Workflow<String, String> WORKFLOW = Workflow.named("night", String.class, String.class);
    private static final List<String> JOBS =
            List.of("plain", "asks", "fails", "discarded", "orphan", "parent", "called-off", "broke", "sends");
    private static final Audit ANNA = new Audit("anna", "it is her job");
    private static final Prices PRICES = Prices.parse("prices", "big, 3, 15");

    private final Fault fault;
    private final Trace trace = new Trace();
    private static final Instant START = Instant.parse("2026-04-12T02:00:00Z");
    private final Scheduler scheduler = new Scheduler(new Random(1), trace, START);
    private final Store store;
    private final Map<String, Integer> landed = new HashMap<>();
    private final Map<String, Integer> stepRuns = new HashMap<>();
    private final Map<String, String> acknowledged = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final Set<Class<?>> issued = new HashSet<>();
    private int boots;
    private int exchanges;
    private int sinceRecovery;
    private boolean struck;
    private boolean recovering;
    private boolean closing;
    private boolean closed;
    private SimProcess process = new SimProcess(scheduler, "none");

    /** A night over a store in memory. */
    FaultLoop(Fault fault) {
        // One other job at a time: whatever reaches others leaves something to do.
        this(fault, time -> new MemoryStore(time, 1));
    }

    /** A night over the store that {@code opening} opens with the night's clock. */
    FaultLoop(Fault fault, Function<Time, Store> opening) {
        this.fault = fault;
        this.store = opening.apply(new SimProcess(scheduler, "store"));
    }

    /** What came of it. */
    record Result(boolean untouched, List<String> violations, Set<Class<?>> issued, String tail) {}

    Result run() {
        orphan();
        boot();
        if (!scheduler.run(() -> closed, Duration.ofHours(12))) {
            violations.add("stuck: " + store.wholeJobs(null, EnumSet.allOf(JobState.class), 0, 100));
        }
        judge();
        judgeRows();
        store.close();
        return new Result(!struck, violations, issued, trace.tail());
    }

    /** A worker of yesterday that died with a job in its hands. */
    private void orphan() {
        var claim = new Change.SubmitJob.Claim(99, 1);
        store.exchange(
                List.of(new Change.Enlist(99, "yesterday", Duration.ofSeconds(30), Taking.of("w"))), Wanted.NOTHING);
        store.exchange(List.of(new Change.SubmitJob(identity("orphan"), "\"orphan\"", claim)), Wanted.NOTHING);
    }

    private Fate fate(List<Change> changes, Wanted wanted) {
        changes.forEach(change -> issued.add(change.getClass()));
        exchanges++;
        if (recovering && ++sinceRecovery == fault.inRecovery()) {
            return fault.fate();
        }
        if (!recovering && (exchanges == fault.nth() || (fault.persistent() && exchanges > fault.nth()))) {
            if (!struck && fault.persistent()) {
                scheduler.after(Duration.ofMinutes(2), this::restart);
            }
            struck = true;
            if (!fault.persistent() && fault.inRecovery() > 0) {
                recovering = true;
            }
            return fault.fate();
        }
        return Fate.PASS;
    }

    private void restart() {
        process.crash();
        recovering = true;
        boot();
    }

    private void boot() {
        var current = new SimProcess(scheduler, "p");
        process = current;
        var around = new EnginePorts(
                current,
                (purpose, name, work) -> scheduler.start(current, name, work),
                new Random(++boots),
                event -> trace.say(scheduler.nanos(), "p", event.line()));
        var options = EngineOptions.usual("p")
                .slots(3)
                .poll(Duration.ofSeconds(5))
                .rate(new Rate("bank", 100, Duration.ofMinutes(1)));
        scheduler.start(current, "main", () -> {
            var engine = new LocalEngine(new FaultyStore(slow(current), this::fate), around, options);
            engine.work(List.of(WORKFLOW.implementedBy((job, input) -> work(current, job, input))));
            insist(current, () -> engine.change(new Change.LimitQueue("", 5)));
            insist(current, () -> engine.change(new Change.KeepPrices(PRICES, ANNA)));
            insist(
                    current,
                    () -> engine.change(new Change.EnrolRows(
                            "rows", List.of(new NewRow("a", "1", "h1"), new NewRow("b", "2", "h2")), false)));
            JOBS.forEach(name -> insist(current, () -> engine.submit(identity(name), Json.write(name))));
            while (!closing) {
                current.pauseQuietly(Duration.ofSeconds(1));
                store.find(identity("parent")).ifPresent(job -> insist(current, () -> engine.change(signal(job))));
                store.gates().stream()
                        .filter(gate -> gate.closing() != null)
                        .forEach(gate -> insist(
                                current, () -> engine.change(new Change.OpenGate(gate.name(), gate.closings(), ANNA))));
                store.find(identity("called-off")).ifPresent(job -> callOff(current, engine, job));
                store.wholeJobs(null, EnumSet.of(JobState.PAUSED, JobState.FAILED), 0, 10)
                        .forEach(job -> attend(current, engine, job));
                closing = allEnded();
            }
            reconcile(current, engine);
            insist(
                    current,
                    () -> engine.change(new Change.PruneJobs(current.now().minus(Duration.ofDays(1)), 10)));
            engine.close();
            closed = true;
        });
    }

    /** What became of the rows is told after their job has ended, and twice. */
    private void reconcile(SimProcess current, LocalEngine engine) {
        var answers = List.of(
                new RowAnswer("a", 1, 1, new RowAnswer.RowEnding.RowSucceeded("\"done\""), null),
                new RowAnswer("b", 1, 1, new RowAnswer.RowEnding.RowFailed("blocked", "never", true, true), null));
        insist(current, () -> engine.change(new Change.ReconcileRows("rows", answers, 2)));
        insist(current, () -> engine.change(new Change.ReconcileRows("rows", answers, 2)));
        insist(
                current,
                () -> engine.change(
                        new Change.SayOfRows("rows", List.of(new RowRef("b", 1)), new RowWord.Drop(), ANNA)));
        insist(current, () -> engine.change(new Change.NotePart("rows", "1", "{}")));
        insist(current, () -> engine.change(new Change.PruneRows("rows", START, 10)));
    }

    private void judgeRows() {
        var counts = store.rowCounts("rows");
        if (!counts.equals(List.of(
                new RowCount(RowState.SUCCEEDED, "", false, 1),
                new RowCount(RowState.PERMANENT, "blocked", true, 1)))) {
            violations.add("lost: rows stand " + counts);
        }
        for (var key : List.of("a", "b")) {
            var tries = store.row("rows", key).orElseThrow().tries();
            if (tries.size() != 1) {
                violations.add("repeated: row " + key + " was sent " + tries);
            }
        }
    }

    /** A store that takes a moment, so that changes of several jobs meet in one commit. */
    private SlowStore slow(SimProcess current) {
        return new SlowStore(store, current);
    }

    private static void insist(SimProcess current, Runnable asking) {
        while (true) {
            try {
                asking.run();
                return;
            } catch (StoreFailure e) {
                current.pauseQuietly(Duration.ofSeconds(5));
            }
        }
    }

    // ---- the workflows

    private String work(SimProcess current, Job job, String name) throws InterruptedException {
        switch (name) {
            case "plain", "orphan" -> {
                job.now("begun");
                step(current, job, "think", Duration.ofSeconds(12), false);
                job.effect("push", idempotent(), name, String.class, (request, a) -> land(current, a, true));
                job.effect(
                        "open", verifiable(this::lookUp), name, String.class, (request, a) -> land(current, a, false));
                step(current, job, "flaky", Duration.ofMillis(10), true);
                job.conversation().say("hello", "user", name);
                job.artifact("page", "text/plain", name.getBytes(StandardCharsets.UTF_8));
            }
            case "asks" ->
                job.effect("mail", none(), name, String.class, (request, a) -> {
                    land(current, a, false);
                    throw new IllegalStateException("no answer");
                });
            case "fails" -> {
                step(current, job, "first", Duration.ofMillis(10), false);
                if (job.resubmission() == 0) {
                    throw new PermanentFailure("not this time");
                }
            }
            case "parent" -> {
                job.map("items", List.of("a", "b", "c"), item -> item, (each, item) -> {
                    step(current, each, "prepare-" + item, Duration.ofMillis(10), item.equals("b"));
                    return each.effect("send", idempotent(), item, String.class, (r, a) -> land(current, a, true));
                });
                job.sleep("a-while", Duration.ofSeconds(30));
                var paid = job.awaitSignal("paid", String.class, Duration.ofHours(1))
                        .orElse("never");
                var child = job.call("child", WORKFLOW, Key.of("child"), "child");
                if (!paid.equals("in full") || !child.equals("child")) {
                    violations.add("lost: signal " + paid + ", child " + child);
                }
                job.approve("announce", name, "Announce it?", Duration.ofDays(1));
                job.effect("announce", none(), name, String.class, (request, a) -> land(current, a, false));
            }
            case "broke" ->
                job.step(named("pay").through("bank"), String.class, () -> {
                    if (stepRuns.merge("broke", 1, Integer::sum) == 1) {
                        throw new AccountTrouble("no credit");
                    }
                    return "paid";
                });
            case "child" ->
                job.effect("push", idempotent(), name, String.class, (request, a) -> land(current, a, true));
            case "called-off" -> job.call("below", WORKFLOW, Key.of("below"), "below");
            case "below" -> job.sleep("for-ever", Duration.ofDays(300));
            case "sends" -> {
                job.sendRows(
                        named("send"),
                        new PartSending("rows", "1", List.of(new RowRef("a", 1), new RowRef("b", 1)), 2));
                job.sealPart(named("seal"), new PartSealing("rows", "1", new PartSeal(2, "hash")));
            }
            case "discarded" -> throw new PermanentFailure("never");
            default -> throw new IllegalArgumentException(name);
        }
        return name;
    }

    private void step(SimProcess current, Job job, String name, Duration takes, boolean flaky) {
        var place = job.identity() + " " + job.resubmission() + " " + name;
        var result = job.step(name, String.class, () -> {
            if (acknowledged.containsKey(place)) {
                violations.add("lost: " + place + " runs again after its result was acknowledged");
            }
            current.pause(takes);
            if (stepRuns.merge(place, 1, Integer::sum) == 1 && flaky) {
                throw new IllegalStateException("flaky");
            }
            return name;
        });
        acknowledged.put(place, result);
    }

    private String land(SimProcess current, Attempt attempt, boolean deduplicates) throws InterruptedException {
        current.pause(Duration.ofMillis(20));
        landed.merge(attempt.key(), 1, (before, more) -> deduplicates ? before : before + more);
        current.pause(Duration.ofMillis(20));
        return attempt.key();
    }

    private Verification<String> lookUp(Attempt attempt) {
        return landed.containsKey(attempt.key()) ? Verification.happened(attempt.key()) : Verification.didNotHappen();
    }

    // ---- the person

    private void attend(SimProcess current, LocalEngine engine, StoredJob job) {
        var change = change(engine, job);
        if (change != null) {
            insist(current, () -> engine.change(change));
        }
    }

    private static Change signal(StoredJob job) {
        return new Change.Deliver(
                job.id(), new Message("webhook-1", Message.Kind.SIGNAL, "paid", Json.write("in full")));
    }

    private void callOff(SimProcess current, LocalEngine engine, StoredJob job) {
        if (!job.state().finished()) {
            insist(current, () -> engine.change(new Change.CancelJob(job.id(), engine.newId(), ANNA)));
        }
    }

    private @Nullable Change change(LocalEngine engine, StoredJob job) {
        var question = job.outcome().question();
        if (question != null && question.kind() == QuestionKind.APPROVE) {
            var yes = Decision.approve().by(ANNA);
            return new Change.Decide(job.id(), engine.newId(), question.id(), yes);
        }
        if (question != null) {
            var key = EffectKey.of(
                    job.identity(), question.place(), job.standing().resubmission());
            var decision = landed.containsKey(key)
                    ? Decision.done("seen").by(ANNA)
                    : Decision.retry().by(ANNA);
            return new Change.Decide(job.id(), engine.newId(), question.id(), decision);
        }
        if (job.identity().equals(identity("discarded"))) {
            return new Change.DiscardJob(job.id(), engine.newId(), ANNA);
        }
        var retried = store.journal(job.id()).stream().anyMatch(line -> line.entry() instanceof Entry.Retried);
        return retried
                ? new Change.ResubmitJob(job.id(), engine.newId(), ANNA)
                : new Change.RetryJob(job.id(), engine.newId(), ANNA);
    }

    // ---- the verdict

    private boolean allEnded() {
        return JOBS.stream()
                        .allMatch(name -> store.find(identity(name))
                                .map(job -> job.state() == JobState.DONE || job.state() == JobState.CANCELLED)
                                .orElse(false))
                && store.followUps(0, 1).isEmpty()
                && store.find(identity("below"))
                        .map(job -> job.state().finished())
                        .orElse(true);
    }

    private void judge() {
        store.find(identity("below"))
                .filter(job -> job.state() != JobState.CANCELLED)
                .ifPresent(job -> violations.add("left behind by the job that called it, and was called off: " + job));
        if (!store.followUps(0, 1).isEmpty()) {
            violations.add("left to do: " + store.followUps(0, 10));
        }
        for (var name : JOBS) {
            var job = store.find(identity(name)).orElse(null);
            var expected = name.equals("discarded") || name.equals("called-off") ? JobState.CANCELLED : JobState.DONE;
            if (job == null || job.state() != expected) {
                violations.add("stuck: " + name + " " + job);
            } else if (job.standing().resubmission() != (name.equals("fails") ? 1 : 0)) {
                violations.add("repeated: " + name + " was resubmitted "
                        + job.standing().resubmission() + " times");
            }
        }
        landed.forEach((key, times) -> {
            if (times != 1) {
                violations.add("repeated: effect " + key + " happened " + times + " times");
            }
        });
        if (landed.size() != 10) {
            violations.add("lost: " + landed.size() + " of 10 effects happened");
        }
        if (!recovering && !store.workers().isEmpty() && !fault.persistent()) {
            violations.add("left behind: " + store.workers());
        }
    }

    private static Identity identity(String name) {
        return new Identity(WORKFLOW.name(), Key.of(name));
    }
}
