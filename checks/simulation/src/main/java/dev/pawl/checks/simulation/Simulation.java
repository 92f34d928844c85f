package dev.pawl.checks.simulation;

import dev.pawl.checks.simulation.Plan.Blow;
import dev.pawl.cost.Prices;
import dev.pawl.engine.local.EngineOptions;
import dev.pawl.engine.local.EnginePorts;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.event.Event;
import dev.pawl.job.JobState;
import dev.pawl.key.Identity;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** One bad night from one seed: faults for a while, then quiet, then the verdict. */
public final class Simulation {

    /** How long late workers may still come back after everything is finished. */
    private static final Duration AFTERMATH = Duration.ofMinutes(15);

    /** How long nothing may be under way before nothing late is expected any more. */
    static final Duration QUIET = Duration.ofMinutes(3);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private static final Duration LONGEST = Duration.ofDays(3);

    private static final Prices PRICES = Prices.parse("simulated", List.of("large, 2, 10"));

    private static final int RECONCILERS = 2;

    private final Plan plan;
    private final Random random;
    private final Trace trace = new Trace();
    private final Scheduler scheduler;
    private final Weather weather;
    private final World world;
    private final Judge judge;
    private final LedgerWatch ledger;
    private final Store store;
    private final Map<Long, SimProcess> lifelines = new HashMap<>();
    private final List<Identity> jobs = new ArrayList<>();
    private int processes;
    private long quietSince;
    private long askAgainAt;

    /**
     * What came of a seed.
     *
     * @param seed the seed
     * @param hash of everything that happened, in order
     * @param violations of promises; none, if all is well
     * @param jobs how they ended
     * @param seen what the seed covered
     * @param tail what was settled before it began, and the last lines of the trace
     */
    public record Report(long seed, String hash, List<String> violations, Ended jobs, Seen seen, String tail) {}

    /**
     * How jobs ended.
     *
     * @param all how many there were
     * @param done how many of them are done
     * @param asked how many questions were asked
     */
    public record Ended(int all, int done, int asked) {}

    /**
     * What a seed covered.
     *
     * @param faults which faults took effect
     * @param ops which kinds of step there were
     * @param pairs which faults took effect in the midst of which kinds of step
     * @param told what ended because its time was up
     * @param turns how many turns the scheduler gave
     */
    public record Seen(Set<String> faults, Set<String> ops, Set<String> pairs, TimesUp told, long turns) {}

    /**
     * How often somebody went by a clock.
     *
     * @param takeOvers of workers whose beat stood still
     * @param timers that ended
     */
    public record TimesUp(int takeOvers, int timers) {}

    /** So few other jobs does one change touch that much is left for the next, now and then all but one. */
    private static final int MOST_OTHERS = 4;

    private Simulation(Plan plan, UnaryOperator<Store> told) {
        this.plan = plan;
        this.random = new Random(plan.seed());
        this.scheduler = new Scheduler(split(), trace, plan.site().beginning());
        this.weather = new Weather(scheduler, plan.faults());
        this.world = new World(scheduler, weather, split(), trace);
        this.judge = new Judge(world, plan.site().budget(), scheduler::nanos);
        this.ledger = new LedgerWatch(
                new MemoryStore(new SimProcess(scheduler, "store"), 1 + Math.floorMod(plan.seed(), MOST_OTHERS)));
        this.store = told.apply(ledger);
    }

    /** Runs one seed. */
    public static Report run(long seed) {
        return run(seed, Clock.RIGHT);
    }

    /** Runs one seed on machines of which every other has such a clock. */
    static Report run(long seed, Clock clock) {
        return run(seed, Plan.drawn(seed, clock));
    }

    /** How many pairs of a kind of step and a fault there are. */
    public static int pairs() {
        return Programs.Op.values().length * Fault.values().length;
    }

    /** All of them. */
    public static Set<String> allPairs() {
        var all = new TreeSet<String>();
        for (var op : Programs.Op.values()) {
            for (var fault : Fault.values()) {
                all.add(op + " × " + fault);
            }
        }
        return all;
    }

    static Report run(long seed, Plan plan) {
        return new Simulation(plan, UnaryOperator.identity()).run0(seed);
    }

    /** What happens in a seed, as steps of the model. */
    static Story story(long seed) {
        var simulation = new Simulation(Plan.drawn(seed, Clock.RIGHT), Story::new);
        var story = (Story) simulation.store;
        simulation.world.tells(story);
        simulation.run0(seed);
        return story;
    }

    private Report run0(long seed) {
        var ops = new TreeSet<String>();
        for (var errand : plan.errands()) {
            jobs.add(errand.identity());
            errand.ops().forEach(op -> ops.add(op.name()));
        }
        for (var i = plan.site().workers(); i > 0; i--) {
            boot();
        }
        var person = new SimProcess(scheduler, "person");
        var operator = new Operator(person, store, world, judge, split());
        scheduler.start(person, "person", operator::work);
        for (var i = 1; i <= RECONCILERS; i++) {
            var reconciler = new SimProcess(scheduler, "reconciler" + i);
            var telling = new Reconciler(
                    reconciler, new SimStore(store, reconciler, split(), weather, lifelines, judge), ledger, split());
            scheduler.start(reconciler, "reconciles", telling::work);
        }
        plan.blows().forEach(blow -> scheduler.after(blow.at(), () -> strike(blow.kind())));
        world.callsOff(identity -> callOff(person, operator, identity));
        world.shutsDown(process -> shutDown(process, Fault.SHUT_DOWN_IN_ACT));
        for (var errand : plan.errands()) {
            if (errand.calledOff() != null) {
                scheduler.after(errand.calledOff(), () -> callOff(person, operator, errand.identity()));
            }
        }
        var finished = scheduler.run(nowAndThen(this::allFinished), LONGEST);
        quietSince = scheduler.nanos();
        scheduler.run(
                nowAndThen(this::quiet), Duration.ofNanos(scheduler.nanos()).plus(AFTERMATH));
        jobs.addAll(called());
        var violations = judge.verdict(store, jobs, operator, stoodStill());
        violations.addAll(ledger.verdict());
        if (!finished && violations.isEmpty()) {
            violations.add("stuck: virtual time ran out");
        }
        var done = (int) jobs.stream()
                .filter(job -> store.find(job)
                        .map(found -> found.state() == JobState.DONE)
                        .orElse(false))
                .count();
        var faults = new TreeSet<String>();
        weather.taken().forEach(fault -> faults.add(fault.name()));
        return new Report(
                seed,
                trace.hash(),
                violations,
                new Ended(jobs.size(), done, judge.asked()),
                new Seen(faults, ops, weather.pairs(), judge.told(), scheduler.turns()),
                plan.describe() + "\n" + trace.tail());
    }

    private void callOff(SimProcess person, Operator operator, Identity identity) {
        trace.say(scheduler.nanos(), "person", "CANCEL " + identity);
        scheduler.start(person, "cancels", () -> {
            if (operator.callOff(identity)) {
                weather.took(Fault.CALLED_OFF, identity);
            }
        });
    }

    /** Asks only when some time has passed since it last asked. */
    private BooleanSupplier nowAndThen(BooleanSupplier question) {
        return () -> {
            if (scheduler.nanos() < askAgainAt) {
                return false;
            }
            askAgainAt = scheduler.nanos() + BETWEEN_LOOKS.toNanos();
            return question.getAsBoolean();
        };
    }

    private boolean allFinished() {
        return finished(jobs) && finished(called());
    }

    private boolean finished(List<Identity> some) {
        for (var identity : some) {
            var job = store.find(identity);
            if (job.isEmpty()
                    || (job.get().state() != JobState.DONE && job.get().state() != JobState.CANCELLED)) {
                return false;
            }
        }
        return true;
    }

    /** Nobody can come back any more with something late: nothing is under way, and has not been for a while. */
    private boolean quiet() {
        if (world.busy() || frozen()) {
            quietSince = scheduler.nanos();
        }
        return scheduler.nanos() - quietSince > QUIET.toNanos();
    }

    private boolean stoodStill() {
        return weather.taken().stream()
                .anyMatch(fault -> fault == Fault.FREEZE
                        || fault == Fault.SLEEP
                        || fault == Fault.FROZEN_BEFORE_SENDING
                        || fault == Fault.FROZEN_BEFORE_WRITING);
    }

    private boolean frozen() {
        for (var process : engines.keySet()) {
            if (process.frozen() && !process.crashed()) {
                return true;
            }
        }
        return false;
    }

    /** The jobs that others called; one that was called off before it could call is not among them. */
    private List<Identity> called() {
        return judge.children().stream()
                .filter(child -> store.find(child).isPresent())
                .toList();
    }

    private RandomGenerator split() {
        return new Random(random.nextLong());
    }

    // ---- processes and what befalls them

    private final List<SimProcess> alive = new ArrayList<>();
    private final Map<SimProcess, LocalEngine> engines = new LinkedHashMap<>();

    private void boot() {
        var clock = processes++ % 2 == 0 ? plan.site().clock() : Clock.RIGHT;
        var process = new SimProcess(scheduler, "p" + processes, clock);
        if (clock == Clock.SLEEPS) {
            sleepNowAndThen(process);
        }
        if (processes > plan.site().workers()) {
            process.runsNewerCode();
        }
        var engineRandom = split();
        var simStore = new SimStore(store, process, split(), weather, lifelines, judge);
        var around = new EnginePorts(
                process,
                (purpose, name, work) -> scheduler.start(process, name, work),
                engineRandom,
                event -> hear(process, event));
        var options = EngineOptions.usual(process.name())
                .slots(1 + random.nextInt(4))
                .poll(plan.site().poll())
                .rate(Judge.RATE)
                .prices(PRICES);
        alive.add(process);
        scheduler.start(process, "main", () -> {
            var engine = new LocalEngine(simStore, around, options);
            engines.put(process, engine);
            var code = new Programs(process, world, judge, ledger, plan);
            engine.work(List.of(Programs.WORKFLOW
                    .implementedBy(code::run)
                    .budget(plan.site().budget())));
            plan.errands().forEach(errand -> submit(process, engine, errand));
        });
    }

    private void sleepNowAndThen(SimProcess process) {
        scheduler.after(Duration.ofSeconds(20 + random.nextInt(200)), () -> {
            if (!process.crashed() && scheduler.nanos() < Faults.STORM.toNanos()) {
                freeze(process, Fault.SLEEP);
                sleepNowAndThen(process);
            }
        });
    }

    private void hear(SimProcess process, Event event) {
        trace.say(scheduler.nanos(), process.name(), event.line());
        if (event.name().equals("rescued")
                && random.nextDouble() < weather.now().busy().crashInRecovery()) {
            scheduler.after(Duration.ofMillis(random.nextInt(20)), () -> crash(process, Fault.CRASH_IN_RECOVERY));
        }
    }

    private void submit(SimProcess process, LocalEngine engine, Plan.Errand errand) {
        while (true) {
            try {
                engine.submit(errand.identity(), String.valueOf(errand.number()), errand.handling());
                return;
            } catch (StoreFailure e) {
                process.pauseQuietly(Duration.ofSeconds(1));
            }
        }
    }

    private void strike(Blow.Kind kind) {
        alive.removeIf(SimProcess::crashed);
        if (alive.isEmpty()) {
            return;
        }
        var victim = alive.get(random.nextInt(alive.size()));
        switch (kind) {
            case CRASH -> crash(victim, Fault.CRASH);
            case FREEZE -> freeze(victim, Fault.FREEZE);
            case SLEEP -> freeze(victim, Fault.SLEEP);
            case JUMP -> {
                weather.took(Fault.CLOCK_JUMP, victim);
                victim.jump(Duration.ofMinutes(random.nextInt(240) - 120));
            }
            case CUT_OFF -> {
                weather.took(Fault.CUT_OFF, victim);
                var duration = Duration.ofSeconds(1 + random.nextInt(120));
                trace.say(scheduler.nanos(), victim.name(), "CUT_OFF " + duration);
                victim.cutOff(duration);
            }
            case SHUT_DOWN -> shutDown(victim, Fault.SHUT_DOWN);
        }
    }

    private void crash(SimProcess victim, Fault how) {
        if (!victim.crashed()) {
            weather.took(how, victim);
            trace.say(scheduler.nanos(), victim.name(), how.name());
            victim.crash();
            bootSoon();
        }
    }

    private void freeze(SimProcess victim, Fault how) {
        weather.took(how, victim);
        var duration = Duration.ofSeconds(5 + random.nextInt(random.nextBoolean() ? 30 : 600));
        trace.say(scheduler.nanos(), victim.name(), how + " " + duration);
        victim.freeze(duration, how == Fault.SLEEP);
    }

    private void shutDown(SimProcess victim, Fault how) {
        var engine = engines.get(victim);
        if (engine != null && alive.remove(victim)) {
            weather.took(how, victim);
            trace.say(scheduler.nanos(), victim.name(), how.name());
            scheduler.start(victim, "shutdown", () -> {
                engine.close();
                victim.crash();
            });
            bootSoon();
        }
    }

    private void bootSoon() {
        scheduler.after(Duration.ofMillis(random.nextInt(30_000)), this::boot);
    }
}
