package dev.pawl.engine.local;

import dev.pawl.cost.Cost;
import dev.pawl.failure.Failure;
import dev.pawl.failure.JobParked;
import dev.pawl.gate.Budget;
import dev.pawl.gate.Gate;
import dev.pawl.gate.GateNames;
import dev.pawl.job.Named;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Spending;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets an attempt pass its gates, or leaves to wait at one: before it begins, so that nothing is cut short and no attempt is spent. */
final class GateRunner {
    private static final int MOST_LOOKS = 5;

    private final Scope scope;
    private final RunContext context;
    private final RunJournal journal;

    GateRunner(Scope scope) {
        this.scope = scope;
        this.context = scope.context();
        this.journal = scope.context().journal();
    }

    /** Returns when every gate before an attempt of {@code name} is open; else leaves. */
    void pass(Named name) {
        join(GateNames.RESTORED);
        join(accountGate(null));
        var through = name.gate();
        if (through != null) {
            join(through);
        }
        for (var budget : context.budgets()) {
            spend(budget);
        }
        var rate = through == null ? null : context.board().rate(through);
        if (rate != null && journal.pass(rate) instanceof Applied.NotYet notYet) {
            throw close(
                    rate.gate(),
                    Gate.Cause.RATE,
                    rate.most() + " in " + rate.per() + " are taken",
                    journal.storeNow().plus(notYet.after()),
                    List.of());
        }
    }

    /** Leaves because of trouble with an account: no attempt is spent, and everybody waits, for a person or until it may be over. */
    JobParked accountTrouble(@Nullable Named name, Failure failure, List<Entry> entries) {
        return scope.park(atAccountGate(name, failure, entries));
    }

    /** How a run ends that has met trouble with the account, or a brake: at the gate which it closes for everybody. */
    Ending.AtGate atAccountGate(@Nullable Named name, Failure failure, List<Entry> entries) {
        var lookAgain = failure.retryAfter();
        var until = lookAgain == null ? null : journal.storeNow().plus(lookAgain);
        var cause = failure.isHalted() ? Gate.Cause.BRAKE : Gate.Cause.ACCOUNT;
        return closing(accountGate(name), cause, failure.message(), until, entries);
    }

    /** Leaves to try again after a while; where the other side wants to be left alone, everybody who passes the same gate leaves it alone. */
    JobParked tryLater(Named name, Place place, int number, Failure failure, Duration after, List<Entry> entries) {
        context.log()
                .tryAgain(context.job(), place, number, scope.calls().took(), failure, after, scope.thrownAt(place));
        var gate = name.gate();
        return gate == null || failure.retryAfter() == null
                ? scope.later(
                        Change.ReleaseJob.Until.TRY_LATER,
                        place,
                        failure.message(),
                        after,
                        entries.toArray(Entry[]::new))
                : leftAlone(gate, place, failure, after, entries);
    }

    /** Leaves because the other side wants to be left alone, and everybody who passes the same gate leaves it alone. */
    private JobParked leftAlone(String gate, Place place, Failure failure, Duration after, List<Entry> entries) {
        var all = new ArrayList<>(entries);
        all.add(new Entry.Waits(place, after));
        return close(
                gate, Gate.Cause.RATE, failure.message(), journal.storeNow().plus(after), all);
    }

    private void join(String gate) {
        if (context.board().closed(gate, journal.storeNow())) {
            throw scope.park(new Ending.AtGate(List.of(), Gate.Wish.toJoin(gate), null));
        }
    }

    private JobParked close(String gate, Gate.Cause cause, String why, @Nullable Instant until, List<Entry> entries) {
        return scope.park(closing(gate, cause, why, until, entries));
    }

    private Ending.AtGate closing(
            String gate, Gate.Cause cause, String why, @Nullable Instant until, List<Entry> entries) {
        var seen = cause == Gate.Cause.BUDGET ? context.board().closings(gate) : null;
        if (context.board().closes(gate, cause, new Gate.Closing(why, journal.storeNow(), until))) {
            scope.closed(gate);
            context.log().gateClosed(context.job(), gate, cause, why, until);
        }
        return new Ending.AtGate(entries, new Gate.Wish(gate, new Gate.Reason(cause, why, until, seen)), null);
    }

    private String accountGate(@Nullable Named name) {
        var through = name == null ? null : name.gate();
        return through == null ? GateNames.account(context.identity().workflow()) : through;
    }

    private void spend(Budget budget) {
        var gate = budget.per() == Budget.Per.JOB
                ? GateNames.budgetOf(context.identity())
                : GateNames.budget(context.identity().workflow(), budget.per());
        join(gate);
        var spent = spent(budget);
        var raised = context.board().raised(gate, budget.per(), journal.storeNow());
        if (budget.limit().spent(spent, raised)) {
            throw close(
                    gate,
                    Gate.Cause.BUDGET,
                    "spent " + budget.limit().of(spent) + "; the limit is " + budget.limit() + times(raised),
                    reopens(budget),
                    List.of());
        }
        var unclear = budget.limit().unclear(spent);
        if (raised == 0 && unclear != null) {
            throw close(
                    gate,
                    Gate.Cause.BUDGET,
                    "nobody can tell how much of " + budget.limit() + " is spent: " + unclear,
                    reopens(budget),
                    List.of());
        }
    }

    private static String times(int raised) {
        return raised == 0 ? "" : ", allowed " + (raised + 1) + " times";
    }

    private Cost spent(Budget budget) {
        if (budget.per() == Budget.Per.DAY && context.books().areOfYesterday(journal.storeNow())) {
            context.lookAtGates();
        }
        if (budget.per() != Budget.Per.JOB) {
            return spentByAll(budget);
        }
        return journal.hasCalled()
                ? Spending.ofJob(context.store(), context.job().id())
                : journal.cost();
    }

    /** What all jobs of the workflow have spent. Nothing is closed for what may have been counted twice: rather look again. */
    private Cost spentByAll(Budget budget) {
        var workflow = context.identity().workflow();
        for (var looks = 1; ; looks++) {
            var spent = context.books().spent(workflow, budget.per(), journal.storeNow());
            if (looks == MOST_LOOKS
                    || !budget.limit().spent(spent, 0)
                    || !context.books().anyMaybeSeen(workflow)) {
                return spent;
            }
            context.lookAtGates();
        }
    }

    /** A daily budget opens by itself when the store's day is over. */
    private @Nullable Instant reopens(Budget budget) {
        if (budget.per() != Budget.Per.DAY) {
            return null;
        }
        var now = journal.storeNow().atOffset(ZoneOffset.UTC);
        return now.truncatedTo(ChronoUnit.DAYS).plusDays(1).toInstant();
    }
}
