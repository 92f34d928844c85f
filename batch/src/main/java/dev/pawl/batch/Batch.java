package dev.pawl.batch;

import dev.pawl.Pawl;
import dev.pawl.cost.Cost;
import dev.pawl.gate.Gate;
import dev.pawl.gate.GateNames;
import dev.pawl.job.JobState;
import dev.pawl.key.Key;
import dev.pawl.lease.Silence;
import dev.pawl.look.Brief;
import dev.pawl.look.EndedJobs;
import dev.pawl.look.JobQuery;
import dev.pawl.look.TimeWindow;
import dev.pawl.store.StoreFailure;
import dev.pawl.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One run over the rows of a batch: submits what is left, and works until nothing more can be done now. What earlier runs have left of the batch goes on with it,
 * also where today's rows do not name it any more: nobody else would.
 */
public final class Batch {
    private static final int AT_ONCE = 1_000;
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration BETWEEN = Duration.ofMillis(100);

    /** Of rows of earlier runs, so many are looked after; the next run finds the others. */
    private static final int MOST_EARLIER = 100_000;

    /** So long may a row that is due stay unclaimed before nobody here can be thought to take it. */
    private static final Duration TO_CLAIM = Duration.ofSeconds(5);

    private final Pawl pawl;
    private final Time time;
    private final Survey survey;
    private final RowWork work;
    private final Duration linger;
    private final long started;
    private final Cost before;
    private final List<String> earlier = new ArrayList<>();
    private long beyond;
    private boolean enrolled;

    /**
     * A run over what is left.
     *
     * @param survey what is left of the rows
     * @param work what is done for each
     * @param linger how long to stay for rows that are to be tried again later
     */
    public Batch(Pawl pawl, Time time, Survey survey, RowWork work, Duration linger) {
        this.pawl = pawl;
        this.time = time;
        this.survey = survey;
        this.work = work;
        this.linger = linger;
        this.started = time.nanos();
        this.before = spent(pawl);
        var query = JobQuery.in(JobState.READY, JobState.RUNNING, JobState.WAITING, JobState.PAUSED)
                .workflow(name());
        pawl.operator().eachJob(query, job -> {
            var hash = job.identity().hash();
            if (!survey.seen().has(hash)) {
                if (earlier.size() < MOST_EARLIER) {
                    earlier.add(hash);
                } else {
                    beyond++;
                }
            }
        });
    }

    /** How many rows of earlier runs are not finished and not among these. */
    public int earlier() {
        return earlier.size();
    }

    private String name() {
        return work.code().workflow().name();
    }

    /** The gate where all rows wait; empty when it is open. */
    public Optional<Gate> closedGate(Pawl open) {
        return open.closedGates().stream()
                .filter(gate -> gate.name().equals(GateNames.account(name()))
                        || gate.name().equals(GateNames.RESTORED))
                .findFirst();
    }

    /** The gate where all rows wait for a person; empty when it is open, or opens by itself. */
    private Optional<Gate> personsGate(Pawl open) {
        return closedGate(open)
                .filter(gate -> gate.closing() != null && gate.closing().until() == null);
    }

    /**
     * The gate that a {@link Brake} has closed, as it was last: also when its time has come, because nobody has seen a row come out well since. Empty when there is none.
     */
    public static Optional<Gate> gateOfBrake(Pawl pawl, String batch) {
        return pawl.operator().gates().stream()
                .filter(gate -> gate.name().equals(GateNames.account(batch)) && Brake.isOfBrake(gate))
                .findFirst();
    }

    /**
     * Does what can be done now.
     *
     * @param told hears of rows that others have
     * @param quiet called whenever nothing can be done now, and something may be later
     */
    public void run(Elsewhere told, Runnable quiet) throws IOException, InterruptedException {
        enrolled = survey.counts().left == 0;
        if ((!enrolled || !earlier.isEmpty()) && personsGate(pawl).isEmpty()) {
            pawl.work(work.code());
            if (!enrolled) {
                enrol();
                enrolled = true;
            }
            work(told, quiet);
        }
    }

    /** Whether every row is known to the store by now. */
    public boolean enrolled() {
        return enrolled;
    }

    /** What this run has come to so far, seen through {@code open}: a run that was told to end is over once its own store is closed. */
    public Report report(Pawl open) {
        return new Report(name(), rows(open), spent(open).since(before), Duration.ofNanos(time.nanos() - started));
    }

    private void enrol() throws IOException {
        var page = new LinkedHashMap<Key, JsonNode>();
        survey.eachLeft((key, row) -> {
            page.put(key, row);
            if (page.size() >= AT_ONCE) {
                pawl.submitAll(work.code().workflow(), page, work.handling());
                page.clear();
            }
        });
        if (!page.isEmpty()) {
            pawl.submitAll(work.code().workflow(), page, work.handling());
        }
    }

    /**
     * Works until no row is due, nor will be within the time that is lingered. What a worker has of which nobody has heard is awaited for as long as it takes
     * to know whether that is dead: whoever left earlier would never take it over.
     */
    private void work(Elsewhere told, Runnable quiet) throws InterruptedException {
        var until = time.now().plus(linger);
        var dueSince = 0L;
        while (true) {
            while (!pawl.awaitQuiet(LOOK)) {
                // Somebody is at work; or nothing can be recorded, and for that nobody stays longer than for anything
                // else.
                if (pawl.operator().storeTroubleFor(linger).isPresent()) {
                    return;
                }
            }
            var left = left();
            if (left == null) {
                if (pawl.operator().storeTroubleFor(linger).isPresent()) {
                    return;
                }
                time.await(LOOK);
                continue;
            }
            var silences =
                    left.running() == 0 ? List.<Silence>of() : pawl.operator().silences();
            if (left.running() > 0) {
                told.areHeld(left.running(), silences);
            }
            var next = left.next().orElse(null);
            // What has just been taken over, or has just come due, is claimed in a moment.
            dueSince = left.due() == 0 ? 0 : dueSince == 0 ? time.nanos() : dueSince;
            var isClaimed = dueSince != 0 && time.nanos() - dueSince < TO_CLAIM.toNanos();
            if (silences.isEmpty() && !isClaimed && (next == null || next.isAfter(until))) {
                return;
            }
            quiet.run();
            var wait = next == null ? BETWEEN : Duration.between(time.now(), next);
            time.await(wait.compareTo(BETWEEN) < 0 ? BETWEEN : wait.compareTo(LOOK) > 0 ? LOOK : wait);
        }
    }

    /** Hears that rows are held by other workers. */
    @FunctionalInterface
    public interface Elsewhere {
        /**
         * Nothing can be done here now, and other workers hold rows.
         *
         * @param rows how many
         * @param silences the workers of which nobody has heard, who perhaps hold them and are dead
         */
        void areHeld(long rows, List<Silence> silences);
    }

    /**
     * What is left when nothing can be done now.
     *
     * @param running how many rows others have
     * @param due how many are to be claimed now
     * @param next when the next row is to be looked at; empty when none is without a person
     */
    private record RowsLeft(long running, long due, Optional<Instant> next) {}

    /** Null when the store does not answer now: it is waited for, as by everybody who works. */
    private @Nullable RowsLeft left() {
        try {
            return whatIsLeft();
        } catch (StoreFailure failure) {
            if (failure.move() == StoreFailure.Move.OPERATOR) {
                throw failure;
            }
            return null;
        }
    }

    private RowsLeft whatIsLeft() {
        var now = time.now();
        var running = new AtomicLong();
        var due = new AtomicLong();
        var next = new AtomicReference<Optional<Instant>>(Optional.empty());
        eachLeft(pawl, brief -> {
            running.addAndGet(brief.state() == JobState.RUNNING ? 1 : 0);
            due.addAndGet(isDue(brief, now) ? 1 : 0);
            next.set(sooner(next.get(), wakes(brief, now)));
        });
        return new RowsLeft(running.get(), due.get(), next.get());
    }

    private static boolean isDue(Brief brief, Instant now) {
        var due = brief.due();
        return brief.state() == JobState.READY && due != null && !due.isAfter(now);
    }

    private static Optional<Instant> sooner(Optional<Instant> one, Optional<Instant> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Instant::compareTo);
    }

    /** When a row is to be looked at again; empty when only a person can help. */
    private static Optional<Instant> wakes(Brief brief, Instant now) {
        return switch (brief.state()) {
            case READY, WAITING -> Optional.ofNullable(brief.due());
            case RUNNING -> Optional.of(now);
            case PAUSED, DONE, FAILED, CANCELLED -> Optional.empty();
        };
    }

    private void eachLeft(Pawl open, Consumer<Brief> each) {
        var page = new ArrayList<String>();
        Consumer<String> add = hash -> {
            page.add(hash);
            if (page.size() >= AT_ONCE) {
                open.operator().briefs(page).values().forEach(each);
                page.clear();
            }
        };
        survey.seen().eachLeft(add);
        earlier.forEach(add);
        open.operator().briefs(page).values().forEach(each);
    }

    private Report.Rows rows(Pawl open) {
        var counts = survey.counts();
        var states = new EnumMap<JobState, Long>(JobState.class);
        var gated = new AtomicLong();
        eachLeft(open, brief -> {
            states.merge(brief.state(), 1L, Long::sum);
            gated.addAndGet(brief.gate() == null || opensByItself(brief) ? 0 : 1);
        });
        var done = states.getOrDefault(JobState.DONE, 0L);
        var failed = states.getOrDefault(JobState.FAILED, 0L);
        var calledOff = states.getOrDefault(JobState.CANCELLED, 0L);
        var paused = states.getOrDefault(JobState.PAUSED, 0L);
        return new Report.Rows(
                done,
                counts.done,
                counts.changed,
                failed,
                Math.max(0, allGivenUp(open) - failed),
                counts.cancelled + calledOff,
                paused,
                counts.left + earlier.size() + beyond - done - failed - calledOff - paused,
                personsGate(open).isPresent() ? Math.max(1, gated.get()) : gated.get());
    }

    /** How many jobs of this batch are given up and not dealt with, whether or not today's rows have them. */
    private long allGivenUp(Pawl open) {
        return open.operator().ended(TimeWindow.EVER).stream()
                .filter(alike -> alike.state() == JobState.FAILED
                        && alike.group().workflow().equals(name()))
                .mapToLong(EndedJobs::many)
                .sum();
    }

    /** Whether a row waits at the gate that a brake has closed. */
    private boolean opensByItself(Brief brief) {
        return brief.due() != null && GateNames.account(name()).equals(brief.gate());
    }

    private Cost spent(Pawl open) {
        return open.operator().spentByWorkflow().getOrDefault(name(), Cost.NOTHING);
    }
}
