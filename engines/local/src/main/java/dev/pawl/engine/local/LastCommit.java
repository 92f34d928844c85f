package dev.pawl.engine.local;

import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.event.EventKind;
import dev.pawl.failure.LeaseLost;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Debts;
import dev.pawl.store.Leaving;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The commit with which a run leaves its job: finished, to be taken again, at a gate, or with a question. */
final class LastCommit {
    private final RunContext context;
    private final RunJournal journal;
    private final StoredJob job;
    private volatile boolean leavesWork = true;
    private EventKind leftBy = EventKind.LEASE_LOST;

    LastCommit(RunContext context) {
        this.context = context;
        this.journal = context.journal();
        this.job = context.job();
    }

    /** Whether something may be to be claimed that was not before: the job itself, or one that waited for its end. */
    boolean leavesWork() {
        return leavesWork;
    }

    /** What was told of how the run has ended. */
    EventKind leftBy() {
        return leftBy;
    }

    /** Commits an ending with what still rides in the workflow's own scope. Returns the job as it stands when it finished or paused, else null. */
    @Nullable
    StoredJob of(Ending ending, Scope top) {
        if (!(ending instanceof Ending.Ours ours)) {
            handBackIfStillOurs();
            leftBy = context.log().ended(job, ending, new Applied.LeaseLost(), false);
            return null;
        }
        Applied applied;
        var change = leaving(ours, top.taken());
        try {
            applied = journal.commitOwned(change);
        } catch (LeaseLost lost) {
            applied = new Applied.LeaseLost();
        }
        if (change instanceof Change.FinishJob && applied instanceof Applied.Conflict conflict) {
            return of(Ending.knowsLess(change.entries(), conflict.why()), top);
        }
        leftBy = context.log().ended(job, ending, RunJournal.notRefused(applied), stillAsks(change));
        if (applied.done()) {
            journal.tellProgress(change.entries());
        }
        leavesWork = !(change instanceof Change.FinishJob && applied instanceof Applied.Now now && now.job() == null);
        if (ending instanceof Ending.AtGate
                && applied.stored() != null
                && applied.stored().state() == JobState.READY) {
            context.lookAtGates();
        }
        return endedAs(change, applied);
    }

    /** The job as it stands, when it finished or paused; else null. */
    private @Nullable StoredJob endedAs(Change.Owned change, Applied applied) {
        if (!applied.done()) {
            return null;
        }
        if (change instanceof Change.FinishJob) {
            return Objects.requireNonNull(Leaving.of(change))
                    .applied(job, Debts.more(change.entries()), journal.storeNow());
        }
        var stored = applied.stored();
        return stored != null && stored.state() == JobState.PAUSED ? stored : null;
    }

    /** A run that could not be sure of its lease may have it still: then nobody else would ever take the job. */
    private void handBackIfStillOurs() {
        if (!journal.leaseLost()) {
            var released =
                    new Entry.Released(journal.hold().fence(), "its worker was not sure of its lease", Duration.ZERO);
            try {
                journal.commitOwned(new Change.ReleaseJob(
                        journal.hold(), journal.nextId(1), List.of(released), Change.ReleaseJob.Until.HAND_BACK));
            } catch (LeaseLost lost) {
                leftBy = context.log()
                        .ended(job, new Ending.Lost(String.valueOf(lost.getMessage())), new Applied.LeaseLost(), false);
            }
        }
    }

    /** The question that the job asked before this run, when it asks the same again and nothing has happened there since. */
    private @Nullable Question stillStanding(Ending.Asks asks) {
        var before = job.outcome().question();
        var asked = asks.newQuestion();
        var there = journal.at(asked.place());
        return before != null
                        && before.kind() == asked.kind()
                        && (asked.kind() != QuestionKind.ELSEWHERE
                                || before.because().equals(asked.because()))
                        && there != null
                        && before.equals(there.standing())
                        && (there.wanted() == null || there.wanted().equals(asked.request()))
                        && asks.entries().stream()
                                .noneMatch(entry -> entry.place().equals(before.place()) && !isAside(entry))
                ? before
                : null;
    }

    /** What an ending records before the job is left. */
    private static List<Entry> recordedBy(Ending.Ours ending) {
        return switch (ending) {
            case Ending.Later later -> later.entries();
            case Ending.AtGate waits -> waits.entries();
            case Ending.Asks asks -> asks.entries();
            case Ending.Done ignored -> List.of();
            case Ending.Failed ignored -> List.of();
            case Ending.CalledOff ignored -> List.of();
        };
    }

    private Change.Owned leaving(Ending.Ours ending, List<Entry> entries) {
        var hold = journal.hold();
        if (journal.saysItsVersion()
                && !Stream.concat(entries.stream(), recordedBy(ending).stream()).allMatch(LastCommit::isAside)) {
            entries.addFirst(journal.saying());
        }
        return switch (ending) {
            case Ending.Done done -> finish(entries, new Change.FinishJob.FinalState.Done(done.result()));
            case Ending.Failed failed -> finish(entries, new Change.FinishJob.FinalState.Failed(failed.failedAt()));
            case Ending.CalledOff ignored -> finish(entries, new Change.FinishJob.FinalState.CalledOff());
            case Ending.Later later -> {
                entries.addAll(later.entries());
                if (!entries.stream().allMatch(LastCommit::isAside) || !isSaidAlready(later)) {
                    entries.add(new Entry.Released(hold.fence(), later.why(), later.after()));
                } else {
                    // A look that changed nothing leaves no line, however it is traced.
                    entries.removeIf(Entry.TracedAs.class::isInstance);
                }
                yield new Change.ReleaseJob(
                        hold, journal.nextId(entries.size()), entries, later.until(), later.after());
            }
            case Ending.AtGate waits -> {
                entries.addAll(waits.entries());
                entries.add(new Entry.Released(
                        hold.fence(), "it waits at gate " + waits.wish().name(), Duration.ZERO));
                yield new Change.WaitAtGateIfOwned(
                        hold, journal.nextId(entries.size()), entries, waits.wish(), waits.after());
            }
            case Ending.Asks asks -> {
                entries.addAll(asks.entries());
                var id = journal.nextId(entries.size() + 1);
                var question = stillStanding(asks);
                if (question == null) {
                    var asked = asks.newQuestion();
                    question = new Question(id + entries.size(), asked.kind(), asked.place(), asked.because());
                    entries.add(new Entry.Asked(question, asked.request()));
                }
                yield new Change.Ask(hold, id, entries, question, asks.after());
            }
        };
    }

    /** Whether it asks what it asked before: then nobody is told loudly once more. */
    private boolean stillAsks(Change.Owned change) {
        return change instanceof Change.Ask ask
                && ask.question().equals(job.outcome().question());
    }

    /** Whether a run that has recorded nothing goes on waiting as the last one did: nobody learns anything from one more line. */
    private boolean isSaidAlready(Ending.Later later) {
        return later.until() == Change.ReleaseJob.Until.WAIT
                && job.outcome().question() == null
                && journal.goesOnWaiting(later.why());
    }

    /** Whether an entry says nothing of where the job stands. */
    private static boolean isAside(Entry entry) {
        return entry instanceof Entry.Heard
                || entry instanceof Entry.LooksFail
                || entry instanceof Entry.Used
                || entry instanceof Entry.Logged
                || entry instanceof Entry.Threw
                || entry instanceof Entry.TracedAs
                || entry instanceof Entry.Progressed;
    }

    private Change.FinishJob finish(List<Entry> entries, Change.FinishJob.FinalState as) {
        return new Change.FinishJob(journal.hold(), journal.nextId(entries.size()), entries, as);
    }
}
