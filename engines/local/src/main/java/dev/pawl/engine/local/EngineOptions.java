package dev.pawl.engine.local;

import dev.pawl.cost.Prices;
import dev.pawl.gate.Rate;
import dev.pawl.job.Handling;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.time.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a worker works.
 *
 * @param name for people: which process this is
 * @param slots how many jobs run at once
 * @param pace how long its lease is good for, and how often it looks
 * @param queues from which queues it takes jobs; none means from all
 * @param principals on whose behalf it takes jobs; none means on everybody's
 * @param money what models cost, and how often things may be begun
 */
public record EngineOptions(
        String name, int slots, Pace pace, List<String> queues, List<String> principals, Money money) {
    /**
     * How fast a worker goes about it.
     *
     * @param term how long its lease is good for
     * @param poll how often it looks for jobs that nobody told it about
     * @param grace how long running acts may take to finish when it stops
     */
    public record Pace(Duration term, Duration poll, Duration grace) {
        public Pace {
            if (term.compareTo(Duration.ofMillis(100)) < 0) {
                throw new IllegalArgumentException(
                        "a lease of " + Durations.text(term) + " is too short to keep up; 100ms is the least");
            }
        }
    }

    /**
     * What may be spent.
     *
     * @param prices what models cost; null for whatever the store says
     * @param rates how often things may be begun
     */
    public record Money(@Nullable Prices prices, List<Rate> rates) {
        public Money {
            rates = List.copyOf(rates);
        }
    }

    /** Sixteen jobs at once, a lease of 30 seconds, a look every half second, 30 seconds to finish; it takes what it can run. */
    public static EngineOptions usual(String name) {
        return new EngineOptions(
                name,
                16,
                new Pace(WorkerRecord.USUAL_TERM, Duration.ofMillis(500), Duration.ofSeconds(30)),
                List.of(),
                List.of(),
                new Money(null, List.of()));
    }

    public EngineOptions {
        if (slots < 1 || slots > 10_000) {
            throw new IllegalArgumentException("a worker runs 1 to 10,000 jobs at once, not " + slots);
        }
        queues = List.copyOf(queues);
        principals = List.copyOf(principals);
        principals.stream().filter(one -> !one.isEmpty()).forEach(Handling::checkPrincipal);
    }

    /** The same with another number of jobs at once. */
    public EngineOptions slots(int atOnce) {
        return new EngineOptions(name, atOnce, pace, queues, principals, money);
    }

    /** The same with another lease term. */
    public EngineOptions term(Duration longest) {
        return new EngineOptions(name, slots, new Pace(longest, poll(), grace()), queues, principals, money);
    }

    /** The same with another time between looks. */
    public EngineOptions poll(Duration often) {
        return new EngineOptions(name, slots, new Pace(term(), often, grace()), queues, principals, money);
    }

    /** The same with another time to finish when it stops. */
    public EngineOptions grace(Duration longest) {
        return new EngineOptions(name, slots, new Pace(term(), poll(), longest), queues, principals, money);
    }

    /** The same, taking jobs from these queues only. */
    public EngineOptions queues(List<String> only) {
        return new EngineOptions(name, slots, pace, only, principals, money);
    }

    /** The same, taking jobs on behalf of these only. */
    public EngineOptions principals(List<String> only) {
        return new EngineOptions(name, slots, pace, queues, only, money);
    }

    /** The same with these prices, and not the store's. */
    public EngineOptions prices(Prices table) {
        return new EngineOptions(name, slots, pace, queues, principals, new Money(table, rates()));
    }

    /** The same with a rate more. */
    public EngineOptions rate(Rate one) {
        var more = new ArrayList<>(rates());
        more.add(one);
        return new EngineOptions(name, slots, pace, queues, principals, new Money(prices(), more));
    }

    /** What models cost; null for whatever the store says. */
    public @Nullable Prices prices() {
        return money.prices();
    }

    /** How often things may be begun. */
    public List<Rate> rates() {
        return money.rates();
    }

    /** How long its lease is good for. */
    public Duration term() {
        return pace.term();
    }

    Duration poll() {
        return pace.poll();
    }

    Duration grace() {
        return pace.grace();
    }

    /** How often the beat is raised. */
    Duration beatEvery() {
        return term().dividedBy(3);
    }
}
