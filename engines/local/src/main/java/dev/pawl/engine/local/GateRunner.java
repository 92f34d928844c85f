package dev.pawl.engine.local;

import dev.pawl.cost.Cost;
import dev.pawl.gate.Budget;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobParked;
import dev.pawl.job.Named;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.retry.Failure;
import dev.pawl.store.Applied;
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

    private final Scope run;

    GateRunner(Scope run) {
        this.run = run;
    }

    /** Returns when every gate before an attempt of {@code name} is open; else leaves. */
    void pass(Named name) {
        join(Gate.RESTORED);
        join(accountGate(null));
        var through = name.gate();
        if (through != null) {
            join(through);
        }
        for (var budget : run.budgets()) {
            spend(budget);
        }
        var rate = through == null ? null : run.board().rate(through);
        if (rate != null && run.pen().pass(rate) instanceof Applied.NotYet notYet) {
            throw close(
                    rate.gate(),
                    Gate.Kind.RATE,
                    rate.most() + " in " + rate.per() + " are taken",
                    run.pen().storeNow().plus(notYet.after()),
                    List.of());
        }
    }

    /** Leaves because of trouble with an account: no attempt is spent, and everybody waits, for a person or until it may be over. */
    JobParked accountTrouble(@Nullable Named name, Failure failure, List<Entry> entries) {
        var lookAgain = failure.retryAfter();
        var until = lookAgain == null ? null : run.pen().storeNow().plus(lookAgain);
        return close(accountGate(name), Gate.Kind.ACCOUNT, failure.message(), until, entries);
    }

    /** Leaves because the other side wants to be left alone, and everybody who passes the same gate leaves it alone. */
    JobParked leftAlone(String gate, Place place, Failure failure, Duration after, List<Entry> entries) {
        var all = new ArrayList<>(entries);
        all.add(new Entry.Waits(place, after));
        return close(
                gate, Gate.Kind.RATE, failure.message(), run.pen().storeNow().plus(after), all);
    }

    private void join(String gate) {
        if (run.board().closed(gate, run.pen().storeNow())) {
            throw run.park(
                    new Ending.AtGate(List.of(), new Gate.Wish(gate, Gate.Kind.ACCOUNT, null, null, null), null));
        }
    }

    private JobParked close(String gate, Gate.Kind kind, String why, @Nullable Instant until, List<Entry> entries) {
        var seen = kind == Gate.Kind.BUDGET ? run.board().closings(gate) : null;
        if (run.board().closes(gate, kind, new Gate.Closing(why, run.pen().storeNow(), until))) {
            run.closed(gate);
            run.log().gateClosed(run.stored(), gate, kind, why, until);
        }
        return run.park(new Ending.AtGate(entries, new Gate.Wish(gate, kind, why, until, seen), null));
    }

    private String accountGate(@Nullable Named name) {
        var through = name == null ? null : name.gate();
        return through == null ? GateBoard.account(run.identity().workflow()) : through;
    }

    private void spend(Budget budget) {
        var gate = budget.per() == Budget.Per.JOB
                ? Gate.OF_ONE_JOB + run.identity()
                : GateBoard.name(run.identity().workflow(), budget.per());
        join(gate);
        var spent = spent(budget);
        var raised = run.board().raised(gate, budget.per(), run.pen().storeNow());
        if (budget.limit().spent(spent, raised)) {
            throw close(
                    gate,
                    Gate.Kind.BUDGET,
                    "spent " + budget.limit().of(spent) + "; the limit is " + budget.limit() + times(raised),
                    reopens(budget),
                    List.of());
        }
        var unclear = budget.limit().unclear(spent);
        if (raised == 0 && unclear != null) {
            throw close(
                    gate,
                    Gate.Kind.BUDGET,
                    "nobody can tell how much of " + budget.limit() + " is spent: " + unclear,
                    reopens(budget),
                    List.of());
        }
    }

    private static String times(int raised) {
        return raised == 0 ? "" : ", allowed " + (raised + 1) + " times";
    }

    private Cost spent(Budget budget) {
        if (budget.per() == Budget.Per.DAY
                && run.board().isOfYesterday(run.pen().storeNow())) {
            run.lookAtGates();
        }
        if (budget.per() != Budget.Per.JOB) {
            return spentByAll(budget);
        }
        return run.pen().hasCalled()
                ? Spending.ofJob(run.store(), run.stored().id())
                : run.pen().cost();
    }

    /** What all jobs of the workflow have spent. Nothing is closed for what may have been counted twice: rather look again. */
    private Cost spentByAll(Budget budget) {
        var workflow = run.identity().workflow();
        for (var looks = 1; ; looks++) {
            var spent = run.board().spent(workflow, budget.per(), run.pen().storeNow());
            if (looks == MOST_LOOKS
                    || !budget.limit().spent(spent, 0)
                    || !run.board().uses().anyMaybeSeen(workflow)) {
                return spent;
            }
            run.lookAtGates();
        }
    }

    /** A daily budget opens by itself when the store's day is over. */
    private @Nullable Instant reopens(Budget budget) {
        if (budget.per() != Budget.Per.DAY) {
            return null;
        }
        var now = run.pen().storeNow().atOffset(ZoneOffset.UTC);
        return now.truncatedTo(ChronoUnit.DAYS).plusDays(1).toInstant();
    }
}
