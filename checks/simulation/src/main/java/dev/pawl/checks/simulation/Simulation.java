package dev.pawl.checks.simulation;

import dev.pawl.cost.Prices;
import dev.pawl.engine.local.EngineOptions;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.engine.local.Surroundings;
import dev.pawl.gate.Budget;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** One bad night from one seed: faults for a while, then quiet, then the verdict. */
public final class Simulation {

    /** How long late workers may still come back after everything is finished. */
    private static final Duration AFTERMATH = Duration.ofMinutes(15);

    private static final Duration LONGEST = Duration.ofDays(3);

    private static final Prices PRICES = Prices.parse("simulated", List.of("model, 2, 10"));

    private final Random random;
    private final Trace trace = new Trace();
    private final Scheduler scheduler;
    private final Faults faults;
    private final Weather weather;
    private final World world;
    private final Judge judge;
    private final Budget budget;
    private final MemoryStore store;
    private final Map<Long, SimProcess> lifelines = new HashMap<>();
    private final List<Identity> jobs = new ArrayList<>();
    private final Map<Identity, Long> programs = new HashMap<>();
    private final Map<Identity, Handling> handlings = new HashMap<>();
    private final Set<String> ops = new TreeSet<>();
    private int processes;

    /**
     * What came of a seed.
     *
     * @param seed the seed
     * @param hash of everything that happened, in order
     * @param violations of promises; none, if all is well
     * @param jobs how they ended
     * @param seen which faults took effect, and which kinds of step there were
     * @param tail the last lines of the trace
     */
    public record Report(long seed, String hash, List<String> violations, Ended jobs, Seen seen, String tail) {}

    /**
     * How jobs ended.
     *
     * @param all how many there were
     * @param done how many of them are done
     */
    public record Ended(int all, int done) {}

    /**
     * What a seed covered.
     *
     * @param faults which faults took effect
     * @param ops which kinds of step there were
     * @param turns how many turns the scheduler gave
     */
    public record Seen(Set<String> faults, Set<String> ops, long turns) {}

    private Simulation(long seed) {
        this.random = new Random(seed);
        this.scheduler = new Scheduler(split(), trace, beginning());
        this.faults = Faults.drawn(random);
        this.weather = new Weather(scheduler, faults);
        this.world = new World(scheduler, weather, split(), trace);
        this.budget = budget();
        this.judge = new Judge(world, budget, scheduler::nanos);
        this.store = new MemoryStore(new SimProcess(scheduler, "store"));
    }

    /** Runs one seed. */
    public static Report run(long seed) {
        return new Simulation(seed).run0(seed);
    }

    private Report run0(long seed) {
        for (var i = 1 + random.nextInt(5); i > 0; i--) {
            var identity = new Identity(Programs.WORKFLOW.name(), Key.of("job-" + i));
            jobs.add(identity);
            programs.put(identity, random.nextLong());
            handlings.put(identity, handling());
            Programs.drawn(programs.get(identity)).forEach(op -> ops.add(op.name()));
        }
        for (var i = 1 + random.nextInt(3); i > 0; i--) {
            boot();
        }
        var person = new SimProcess(scheduler, "person");
        var operator = new Operator(person, store, world, split());
        scheduler.start(person, "person", operator::work);
        for (var i = faults.crashes(); i > 0; i--) {
            scheduler.after(Duration.ofMillis(random.nextInt((int) Faults.STORM.toMillis())), this::strike);
        }
        world.callsOff(identity -> callOff(person, operator, identity));
        for (var identity : List.copyOf(jobs)) {
            if (random.nextInt(8) == 0) {
                scheduler.after(
                        Duration.ofMillis(random.nextInt((int) Faults.STORM.toMillis())),
                        () -> callOff(person, operator, identity));
            }
        }
        var finished = scheduler.run(this::allFinished, LONGEST);
        scheduler.run(() -> false, Duration.ofNanos(scheduler.nanos()).plus(AFTERMATH));
        jobs.addAll(called());
        var violations = judge.verdict(store, jobs, operator);
        if (!finished && violations.isEmpty()) {
            violations.add("stuck: virtual time ran out");
        }
        var done = (int) jobs.stream()
                .filter(job -> store.find(job)
                        .map(found -> found.state() == JobState.DONE)
                        .orElse(false))
                .count();
        return new Report(
                seed,
                trace.hash(),
                violations,
                new Ended(jobs.size(), done),
                new Seen(weather.taken(), ops, scheduler.turns()),
                trace.tail());
    }

    private void callOff(SimProcess person, Operator operator, Identity identity) {
        weather.took("person: called a job off");
        trace.say(scheduler.nanos(), "person", "CANCEL " + identity);
        scheduler.start(person, "cancels", () -> operator.callOff(identity));
    }

    private boolean allFinished() {
        var all = new ArrayList<>(jobs);
        all.addAll(called());
        for (var identity : all) {
            var job = store.find(identity);
            if (job.isEmpty()
                    || (job.get().state() != JobState.DONE && job.get().state() != JobState.CANCELLED)) {
                return false;
            }
        }
        return true;
    }

    /** The jobs that others called; one that was called off before it could call is not among them. */
    private List<Identity> called() {
        return judge.children().stream()
                .filter(child -> store.find(child).isPresent())
                .toList();
    }

    /** Shortly before midnight, so that a day ends while things go wrong. */
    private Instant beginning() {
        return Instant.parse("2026-04-12T23:30:00Z").plusSeconds(random.nextInt(1_500));
    }

    private Budget budget() {
        return switch (random.nextInt(4)) {
            case 0 -> Budget.perJob(Budget.tokens(350));
            case 1 -> Budget.perJob(Budget.usd("0.0005"));
            case 2 -> Budget.perWorkflow(Budget.tokens(700));
            default -> Budget.perDay(Budget.tokens(700));
        };
    }

    private Handling handling() {
        var handling = Handling.usual().priority(random.nextInt(3));
        if (random.nextInt(3) == 0) {
            handling = handling.atMost(1, "lane");
        }
        if (random.nextInt(4) == 0) {
            handling = handling.queue("mail").principal("anna");
        }
        return random.nextInt(4) == 0
                ? handling.notBefore(new SimProcess(scheduler, "calendar").now().plusSeconds(random.nextInt(120)))
                : handling;
    }

    private RandomGenerator split() {
        return new Random(random.nextLong());
    }

    // ---- processes and what befalls them

    private final List<SimProcess> alive = new ArrayList<>();
    private final Map<SimProcess, LocalEngine> engines = new HashMap<>();

    private void boot() {
        var process = new SimProcess(scheduler, "p" + ++processes);
        var engineRandom = split();
        var simStore = new SimStore(store, process, split(), weather, lifelines);
        var around = new Surroundings(
                process,
                (purpose, name, work) -> scheduler.start(process, name, work),
                engineRandom,
                event -> trace.say(scheduler.nanos(), process.name(), event.line()));
        var options = EngineOptions.usual(process.name())
                .slots(1 + random.nextInt(4))
                .rate(Judge.RATE)
                .prices(PRICES);
        alive.add(process);
        scheduler.start(process, "main", () -> {
            var engine = new LocalEngine(simStore, around, options);
            engines.put(process, engine);
            var code = new Programs(process, world, judge);
            engine.work(List.of(Programs.WORKFLOW.implementedBy(code::run).budget(budget)));
            jobs.forEach(job -> submit(process, engine, job));
        });
    }

    private void submit(SimProcess process, LocalEngine engine, Identity job) {
        while (true) {
            try {
                engine.submit(job, String.valueOf(programs.get(job)), handlings.getOrDefault(job, Handling.usual()));
                return;
            } catch (StoreFailure e) {
                process.pauseQuietly(Duration.ofSeconds(1));
            }
        }
    }

    private void strike() {
        alive.removeIf(SimProcess::crashed);
        if (alive.isEmpty()) {
            return;
        }
        var victim = alive.get(random.nextInt(alive.size()));
        switch (random.nextInt(6)) {
            case 0, 1 -> crash(victim);
            case 2 -> freeze(victim, false);
            case 3 -> freeze(victim, true);
            case 4 -> {
                weather.took("clock: jumped");
                victim.jump(Duration.ofMinutes(random.nextInt(240) - 120));
            }
            case 5 -> shutDown(victim);
            default -> throw new IllegalStateException();
        }
    }

    private void crash(SimProcess victim) {
        weather.took("process: crashed");
        trace.say(scheduler.nanos(), victim.name(), "CRASH");
        victim.crash();
        bootSoon();
    }

    private void freeze(SimProcess victim, boolean machineSleeps) {
        weather.took(machineSleeps ? "machine: slept" : "process: frozen");
        var duration = Duration.ofSeconds(5 + random.nextInt(random.nextBoolean() ? 30 : 600));
        trace.say(scheduler.nanos(), victim.name(), (machineSleeps ? "SLEEP " : "FREEZE ") + duration);
        victim.freeze(duration, machineSleeps);
    }

    private void shutDown(SimProcess victim) {
        var engine = engines.get(victim);
        if (engine != null) {
            weather.took("process: shut down");
            trace.say(scheduler.nanos(), victim.name(), "SHUTDOWN");
            alive.remove(victim);
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
