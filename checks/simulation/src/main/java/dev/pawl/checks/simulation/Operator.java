package dev.pawl.checks.simulation;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Message;
import dev.pawl.json.Json;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.list.Cursor;
import dev.pawl.look.Occurrence;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Change;
import dev.pawl.store.OccurrencePosition;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/** The person who answers questions: looks at the destination, carefully, and says what is true. */
final class Operator {

    /** Later than any attempt can still land. */
    private static final Duration CARE = Duration.ofMinutes(6);

    private static final Duration ROUND = Duration.ofSeconds(20);

    private final SimProcess process;
    private final Store store;
    private final World world;
    private final Judge judge;
    private final Map<String, Seen> closed = new HashMap<>();

    /** A gate as it was seen closed: which of its closings, and when. */
    private record Seen(long closings, Instant at) {}

    private final RandomGenerator random;
    private final Map<Long, Long> firstSeen = new HashMap<>();
    private final Set<String> told = new HashSet<>();
    private final List<String> twice = new ArrayList<>();
    private final boolean prunes;
    private Cursor cursor = Cursor.START;

    Operator(SimProcess process, Store store, World world, Judge judge, RandomGenerator random) {
        this.judge = judge;
        this.process = process;
        this.store = store;
        this.world = world;
        this.random = random;
        this.prunes = random.nextInt(4) == 0;
    }

    void work() {
        while (true) {
            process.pauseQuietly(ROUND);
            signal();
            openGates();
            watch();
            if (prunes && random.nextInt(20) == 0) {
                apply(new Change.PruneJobs(process.now().minus(Duration.ofMinutes(2)), 2));
            }
            for (var job : store.wholeJobs(null, EnumSet.of(JobState.PAUSED, JobState.FAILED), 0, 1_000)) {
                var question = job.outcome().question();
                if (question != null) {
                    consider(job, question);
                } else if (job.state() == JobState.FAILED) {
                    dealWith(job);
                }
            }
        }
    }

    private void dealWith(StoredJob failed) {
        var audit = new Audit("operator", "dealt with it");
        if (random.nextInt(5) == 0) {
            judge.calledOff(failed.identity());
            apply(new Change.DiscardJob(failed.id(), id(), audit));
        } else {
            apply(new Change.RetryJob(failed.id(), id(), audit));
        }
    }

    /** Webhooks: each signal once or twice, in their order, at any time from when the job is there. */
    private void signal() {
        for (var expected : world.expected()) {
            for (var n : List.of("1", "2")) {
                for (var times = 1 + random.nextInt(2); times > 0; times--) {
                    var message = new Message("id-" + n, Message.Kind.SIGNAL, expected.name(), Json.write(n));
                    store.find(expected.job()).ifPresent(job -> apply(new Change.Deliver(job.id(), message)));
                }
                if (random.nextBoolean()) {
                    break;
                }
            }
        }
    }

    /** Follows what happens: nothing may be told twice, and the judge asks later whether anything was missed. */
    private void watch() {
        for (var one : store.happened(cursor, 50)) {
            var ending = one.what() instanceof Occurrence.What.Ended
                    ? " " + OccurrencePosition.of(one.cursor()).ended()
                    : "";
            if (!told.add(one.job() + " " + one.what() + ending)) {
                twice.add(one.toString());
            }
            cursor = one.cursor();
        }
    }

    /** What was told of each job, and what was told twice. */
    Set<String> told() {
        for (var before = -1; before < told.size(); ) {
            before = told.size();
            watch();
        }
        return told;
    }

    List<String> toldTwice() {
        return twice;
    }

    /** One word for all who wait. */
    private void openGates() {
        for (var gate : store.gates()) {
            lookAt(gate);
            var closing = gate.closing();
            if (closing != null && random.nextInt(closing.until() == null ? 4 : 200) == 0) {
                apply(new Change.OpenGate(gate.name(), gate.closings(), new Audit("operator", "mended")));
            }
        }
    }

    /** Closed at two looks by one and the same closing, a gate was closed in between. */
    private void lookAt(Gate gate) {
        var now = process.now();
        var before = closed.remove(gate.name());
        if (!gate.closedAt(now) || gate.cause() == Gate.Cause.RATE || gate.isOfOneJob()) {
            return;
        }
        if (before != null && before.closings() == gate.closings()) {
            judge.shut(gate.name(), before.at(), now);
        }
        closed.put(
                gate.name(),
                before != null && before.closings() == gate.closings() ? before : new Seen(gate.closings(), now));
    }

    /** Calls a job off, if it is there and not finished. */
    boolean callOff(Identity identity) {
        var job = store.find(identity).filter(found -> !found.state().finished());
        job.ifPresent(found -> judge.calledOff(found.identity()));
        job.ifPresent(
                found -> apply(new Change.CancelJob(found.id(), id(), new Audit("operator", "no longer wanted"))));
        return job.isPresent();
    }

    private void consider(StoredJob job, Question question) {
        var seen = firstSeen.computeIfAbsent(question.id() * 31 + job.id(), unused -> process.nanos());
        if (process.nanos() - seen < CARE.toNanos()) {
            return;
        }
        var decision = decide(job, question);
        if (random.nextInt(4) == 0) {
            apply(new Change.Decide(job.id(), id(), question.id() + 1, decision));
        }
        apply(new Change.Decide(job.id(), id(), question.id(), decision));
    }

    private Decision decide(StoredJob job, Question question) {
        var audit = new Audit("operator", "looked");
        if (question.kind() == QuestionKind.APPROVE) {
            return new Decision(random.nextInt(5) == 0 ? Verdict.DENY : Verdict.APPROVE, null, false, audit);
        }
        var key = EffectKey.of(job.identity(), question.place(), job.standing().resubmission());
        if (question.kind() == QuestionKind.CODE_CHANGED) {
            return renamed(job, question, audit);
        }
        if (question.kind() == QuestionKind.ELSEWHERE) {
            return switch (random.nextInt(4)) {
                case 0 -> Decision.done("anna saw its end").by(audit);
                case 1 -> new Decision(Verdict.SKIP, null, false, audit);
                case 2 -> new Decision(Verdict.FAIL, null, false, audit);
                default -> Decision.retry().by(audit);
            };
        }
        if (!world.at(key).times.isEmpty()) {
            return Decision.done(key).by(audit);
        }
        return new Decision(random.nextInt(8) == 0 ? Verdict.SKIP : Verdict.RETRY, null, random.nextBoolean(), audit);
    }

    /** Looks whether the effect has happened under its other name. */
    private Decision renamed(StoredJob job, Question question, Audit audit) {
        var old = new Place(
                question.place().scope(),
                Judge.renamed(question.place().name()),
                question.place().item());
        var key = EffectKey.of(job.identity(), old, job.standing().resubmission());
        return world.at(key).times.isEmpty()
                ? Decision.retry().by(audit)
                : Decision.done(key).by(audit);
    }

    private void apply(Change change) {
        store.exchange(List.of(change), Wanted.NOTHING);
    }

    private long id() {
        return Changes.unfenced(random);
    }
}
