package dev.pawl.engine.local;

import dev.pawl.gate.Budget;
import dev.pawl.gate.Gate;
import dev.pawl.gate.GateNames;
import dev.pawl.gate.Rate;
import dev.pawl.job.Workflow;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What this process knows of gates: as fresh as its last look at the store, and what its own jobs have done since. Thread-safe. */
final class GateBoard {
    private final Map<String, Rate> rates;
    private final ReentrantLock looking = new ReentrantLock();
    private volatile Map<String, Gate> gates = Map.of();
    private final BudgetBooks books;
    private final Map<String, OwnClosing> ownClosings = new HashMap<>();

    /**
     * A closing by a job of this process, which the store does not know before the job has left.
     *
     * @param gate closed
     * @param over whether that job has left
     */
    private record OwnClosing(Gate gate, boolean over) {}

    GateBoard(List<Rate> rates, BudgetBooks books) {
        this.books = books;
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
    synchronized boolean closes(String gate, Gate.Cause cause, Gate.Closing closing) {
        var known = gates.get(gate);
        if (known != null && known.closedAt(closing.since())) {
            return false;
        }
        var closed = known == null ? Gate.closed(gate, cause, closing) : known.closedAgain(cause, closing);
        ownClosings.put(gate, new OwnClosing(closed, false));
        var more = new HashMap<>(gates);
        more.put(gate, closed);
        gates = Map.copyOf(more);
        return true;
    }

    /** The jobs that closed these gates have left: from now on the store knows better. */
    synchronized void left(Collection<String> closed) {
        closed.forEach(gate -> ownClosings.computeIfPresent(gate, (name, own) -> new OwnClosing(own.gate(), true)));
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

    /** Looks at the store, one look after the other. Returns what no longer holds, to be opened. */
    List<Change.OpenGate> look(Store store, Instant now, List<Workflow.Implementation<?, ?>> implementations) {
        looking.lock();
        try {
            return lookAlone(store, now, implementations);
        } finally {
            looking.unlock();
        }
    }

    private List<Change.OpenGate> lookAlone(
            Store store, Instant now, List<Workflow.Implementation<?, ?>> implementations) {
        var budgeted = implementations.stream()
                .anyMatch(one -> one.budgets().stream().anyMatch(budget -> budget.per() != Budget.Per.JOB));
        if (budgeted) {
            books.look(store, now);
        }
        var over = over();
        var found = new HashMap<String, Gate>();
        store.gates().forEach(gate -> found.put(gate.name(), gate));
        adopt(found, over);
        return implementations.stream()
                .flatMap(one -> one.budgets().stream()
                        .filter(budget -> budget.per() == Budget.Per.WORKFLOW)
                        .map(budget -> closedWithRoomAgain(found, one.workflow().name(), budget, now))
                        .filter(Objects::nonNull)
                        .map(gate -> new Change.OpenGate(gate.name(), gate.closings(), null)))
                .toList();
    }

    private synchronized Set<String> over() {
        return ownClosings.entrySet().stream()
                .filter(own -> own.getValue().over())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Takes in what the store knows; a closing of our own stays until the store knows it, or its job has left before the look. */
    private synchronized void adopt(Map<String, Gate> found, Set<String> over) {
        ownClosings.entrySet().removeIf(own -> {
            var stored = found.get(own.getKey());
            return over.contains(own.getKey())
                    || (stored != null
                            && stored.closings() >= own.getValue().gate().closings());
        });
        var all = new HashMap<>(found);
        ownClosings.forEach((name, own) -> all.put(name, own.gate()));
        gates = Map.copyOf(all);
    }

    private @Nullable Gate closedWithRoomAgain(Map<String, Gate> found, String workflow, Budget budget, Instant now) {
        var gate = found.get(GateNames.budget(workflow, budget.per()));
        return gate != null
                        && gate.closing() != null
                        && !budget.limit()
                                .spent(
                                        books.spent(workflow, budget.per(), now),
                                        gate.raised().times())
                        && budget.limit().unclear(books.spent(workflow, budget.per(), now)) == null
                ? gate
                : null;
    }
}
