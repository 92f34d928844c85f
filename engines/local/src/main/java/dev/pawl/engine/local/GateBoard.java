package dev.pawl.engine.local;

import dev.pawl.cost.Cost;
import dev.pawl.cost.Spent;
import dev.pawl.gate.Budget;
import dev.pawl.gate.Gate;
import dev.pawl.gate.Rate;
import dev.pawl.job.Workflow;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of gates and of what was spent: as fresh as the keeper's last look, and what its own jobs have done since.
 * Thread-safe.
 */
final class GateBoard {
    private final Map<String, Rate> rates;
    private volatile Map<String, Gate> gates = Map.of();
    private volatile Map<String, Cost> everSpent = Map.of();
    private volatile Map<String, Cost> spentToday = Map.of();
    private volatile LocalDate lookedOn = LocalDate.EPOCH;
    private final Map<String, Cost> since = new ConcurrentHashMap<>();

    GateBoard(List<Rate> rates) {
        var byGate = new HashMap<String, Rate>();
        rates.forEach(rate -> byGate.put(rate.gate(), rate));
        this.rates = Map.copyOf(byGate);
    }

    @Nullable
    Rate rate(String gate) {
        return rates.get(gate);
    }

    boolean closed(String gate, Instant now) {
        var known = gates.get(gate);
        return known != null && known.closedAt(now);
    }

    /** A job of this process closes a gate. Returns whether it was not known to be closed. */
    synchronized boolean closes(String gate, Gate.Kind kind, Gate.Closing closing) {
        var known = gates.get(gate);
        if (known != null && known.closedAt(closing.since())) {
            return false;
        }
        var more = new HashMap<>(gates);
        more.put(gate, known == null ? Gate.closed(gate, kind, closing) : known.closedAgain(kind, closing));
        gates = Map.copyOf(more);
        return true;
    }

    /** How often a gate has been closed, as far as is known. */
    long closings(String gate) {
        var known = gates.get(gate);
        return known == null ? 0 : known.closings();
    }

    /** How often a person allowed more; of a day's budget, today. */
    int raised(String gate, Budget.Per per, Instant now) {
        var known = gates.get(gate);
        if (known == null) {
            return 0;
        }
        return per == Budget.Per.DAY
                ? known.raised().timesOnDayOf(now)
                : known.raised().times();
    }

    /** Whether nobody has looked yet on the day of {@code now}. */
    boolean isOfYesterday(Instant now) {
        return !day(now).equals(lookedOn);
    }

    /** What all jobs of a workflow have spent, for ever or on the store's day of now. */
    Cost spent(String workflow, Budget.Per per, Instant now) {
        if (per == Budget.Per.DAY && !day(now).equals(lookedOn)) {
            // What was spent yesterday does not count.
            return since.getOrDefault(workflow, Cost.NOTHING);
        }
        var known = per == Budget.Per.DAY ? spentToday : everSpent;
        return known.getOrDefault(workflow, Cost.NOTHING).plus(since.getOrDefault(workflow, Cost.NOTHING));
    }

    /** A job of this process has used something. */
    void used(String workflow, Cost cost) {
        since.merge(workflow, cost, Cost::plus);
    }

    /** Looks at the store. Returns what no longer holds, to be opened. */
    List<Change.OpenGate> look(Store store, Instant now, List<Workflow.Implementation<?, ?>> implementations) {
        var budgeted = implementations.stream()
                .anyMatch(one -> one.budgets().stream().anyMatch(budget -> budget.per() != Budget.Per.JOB));
        if (budgeted) {
            since.clear();
            var all = store.spent(LocalDate.EPOCH);
            var today = day(now);
            lookedOn = today;
            everSpent = sum(all);
            spentToday =
                    sum(all.stream().filter(spent -> spent.day().equals(today)).toList());
        }
        var found = new HashMap<String, Gate>();
        store.gates().forEach(gate -> found.put(gate.name(), gate));
        synchronized (this) {
            gates = Map.copyOf(found);
        }
        return implementations.stream()
                .flatMap(one -> one.budgets().stream()
                        .filter(budget -> budget.per() == Budget.Per.WORKFLOW)
                        .filter(budget -> hasRoomAgain(one.workflow().name(), budget, now))
                        .map(budget -> found.get(name(one.workflow().name(), budget.per())))
                        .map(gate -> new Change.OpenGate(gate.name(), gate.closings(), null)))
                .toList();
    }

    private boolean hasRoomAgain(String workflow, Budget budget, Instant now) {
        var gate = gates.get(name(workflow, budget.per()));
        return gate != null
                && gate.closing() != null
                && !budget.limit()
                        .spent(spent(workflow, budget.per(), now), gate.raised().times())
                && !budget.limit().unclear(spent(workflow, budget.per(), now));
    }

    /** What the gate of a workflow's account is called. */
    static String account(String workflow) {
        return "account/" + workflow;
    }

    /** What the gate of a workflow's budget is called. */
    static String name(String workflow, Budget.Per per) {
        return switch (per) {
            case WORKFLOW -> "budget/workflow/" + workflow;
            case DAY -> "budget/day/" + workflow;
            case JOB -> throw new IllegalArgumentException("each job has a gate of its own");
        };
    }

    private static LocalDate day(Instant when) {
        return LocalDate.ofInstant(when, ZoneOffset.UTC);
    }

    private static Map<String, Cost> sum(List<Spent> all) {
        var sums = new HashMap<String, Cost>();
        all.forEach(spent -> sums.merge(spent.workflow(), spent.cost(), Cost::plus));
        return Map.copyOf(sums);
    }
}
