package dev.pawl.checks.crash.matrix;

import dev.pawl.cost.Prices;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.job.JobState;
import dev.pawl.journal.Message;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Identity;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.io.IOException;
import java.time.Duration;

/** Does for a row's job what people and webhooks do, as often as it takes until the job has ended; whoever comes after a crash does it again. */
final class Person {
    private static final Audit AUDIT = new Audit("matrix", "looked");
    private static final Duration ROUND = Duration.ofMillis(30);

    private final Row row;
    private final LocalEngine engine;
    private final Store store;
    private final Witness witness;

    Person(Row row, LocalEngine engine, Store store, Witness witness) {
        this.row = row;
        this.engine = engine;
        this.store = store;
        this.witness = witness;
    }

    /** Goes on until the job has ended as it must. */
    void seeItThrough(Identity identity) throws IOException, InterruptedException {
        while (true) {
            try {
                var job = store.find(identity);
                if (job.isEmpty()) {
                    if (row == Row.ROWS) {
                        Rows.enrol(engine);
                    }
                    engine.submit(identity, "\"\"");
                } else if (goOn(job.get())) {
                    return;
                }
            } catch (StoreFailure askAgain) {
                // the next round does
            }
            new Signal().await(Time.system(), 0, ROUND);
        }
    }

    private boolean goOn(StoredJob job) throws IOException, InterruptedException {
        var question = job.outcome().question();
        if (job.state() == JobState.PAUSED && question != null) {
            engine.change(new Change.Decide(job.id(), engine.newId(), question.id(), decide(job, question)));
        } else if (job.outcome().gate() != null) {
            openGates();
        } else if (job.state() == JobState.WAITING && (row == Row.SIGNAL || row == Row.AWAIT)) {
            engine.change(new Change.Deliver(job.id(), new Message("id", Message.Kind.SIGNAL, "go", "\"now\"")));
        } else if (job.state() == JobState.WAITING && (row == Row.CANCEL || row == Row.SESSION)) {
            engine.change(new Change.CancelJob(job.id(), engine.newId(), AUDIT));
        } else if (job.state() == JobState.FAILED) {
            witness.mend();
            engine.change(
                    row == Row.DISCARD
                            ? new Change.DiscardJob(job.id(), engine.newId(), AUDIT)
                            : new Change.RetryJob(job.id(), engine.newId(), AUDIT));
        } else if (job.state() == JobState.DONE) {
            return afterwards(job);
        }
        return job.state() == JobState.CANCELLED;
    }

    private boolean afterwards(StoredJob done) {
        switch (row) {
            case RESUBMIT -> {
                if (done.standing().resubmission() == 0) {
                    engine.change(new Change.ResubmitJob(done.id(), engine.newId(), AUDIT));
                    return false;
                }
            }
            case PRUNE -> {
                engine.change(new Change.PruneJobs(Time.system().now().plusSeconds(60), 100));
            }
            case ROWS -> Rows.answer(engine, AUDIT);
            case LIMIT -> {
                engine.change(new Change.LimitQueue("", 7));
                engine.change(new Change.KeepPrices(Prices.parse("prices", "big, 3, 15"), AUDIT));
            }
            default -> {}
        }
        return true;
    }

    private Decision decide(StoredJob job, Question question) throws IOException, InterruptedException {
        if (question.kind() == QuestionKind.APPROVE) {
            return Decision.approve().by(AUDIT);
        }
        var key = EffectKey.of(job.identity(), question.place(), job.standing().resubmission());
        return witness.hasArrived(key)
                ? Decision.done("ok").by(AUDIT)
                : Decision.retry().by(AUDIT);
    }

    private void openGates() throws IOException {
        for (var gate : store.gates()) {
            var closing = gate.closing();
            if (closing != null && closing.until() == null) {
                witness.mend();
                engine.change(new Change.OpenGate(gate.name(), gate.closings(), AUDIT));
            }
        }
    }
}
