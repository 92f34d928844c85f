package dev.pawl.checks.simulation;

import dev.pawl.checks.simulation.Programs.Op;
import dev.pawl.gate.Budget;
import dev.pawl.job.Handling;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Everything about a bad night that is settled before it begins. It is drawn from a seed, and made smaller when a failure is to be understood.
 *
 * @param seed of everything that is not settled before
 * @param errands the jobs
 * @param children what the jobs do that others may call
 * @param site where it happens
 * @param faults what goes wrong, and how often
 * @param blows what befalls processes, and when
 */
record Plan(long seed, List<Errand> errands, List<List<Op>> children, Site site, Faults faults, List<Blow> blows) {
    static final int CHILDREN = 3;

    /**
     * A job.
     *
     * @param number its input, which tells what it does
     * @param ops what it does
     * @param handling how it is to be taken
     * @param calledOff when somebody calls it off; null for never
     */
    record Errand(
            long number,
            List<Op> ops,
            Handling handling,
            @Nullable Duration calledOff) {
        Identity identity() {
            return new Identity(Programs.WORKFLOW.name(), Key.of("job-" + number));
        }
    }

    /**
     * Where it happens.
     *
     * @param workers how many processes there are at first
     * @param poll how often they look
     * @param budget of the workflow
     * @param beginning what time it is
     * @param clock what is wrong with the clock of every other machine, the first one's among them
     */
    record Site(int workers, Duration poll, Budget budget, Instant beginning, Clock clock) {}

    /**
     * What befalls a process.
     *
     * @param at when
     * @param kind what
     */
    record Blow(Duration at, Kind kind) {
        enum Kind {
            CRASH,
            FREEZE,
            SLEEP,
            JUMP,
            CUT_OFF,
            SHUT_DOWN
        }
    }

    Plan {
        errands = List.copyOf(errands);
        children = List.copyOf(children);
        blows = List.copyOf(blows);
    }

    /** The plan of a seed. */
    static Plan drawn(long seed, Clock clock) {
        var random = new Random(seed);
        var site = new Site(1 + random.nextInt(3), poll(random), budget(random), beginning(random), clock);
        var errands = new ArrayList<Errand>();
        for (var i = 1 + random.nextInt(5); i > 0; i--) {
            errands.add(new Errand(
                    i,
                    ops(random, Op.values()),
                    handling(random, site.beginning()),
                    random.nextInt(8) == 0 ? duringTheStorm(random) : null));
        }
        var children = new ArrayList<List<Op>>();
        for (var i = 0; i < CHILDREN; i++) {
            children.add(ops(random, Op.OF_CHILDREN));
        }
        var faults = Faults.drawn(random);
        var blows = new ArrayList<Blow>();
        for (var i = random.nextInt(6); i > 0; i--) {
            var kinds = Blow.Kind.values();
            blows.add(new Blow(duringTheStorm(random), kinds[random.nextInt(kinds.length)]));
        }
        return new Plan(random.nextLong(), errands, children, site, faults, blows);
    }

    private static List<Op> ops(RandomGenerator random, Op[] from) {
        var ops = new ArrayList<Op>();
        for (var i = 1 + random.nextInt(5); i > 0; i--) {
            ops.add(from[random.nextInt(from.length)]);
        }
        return List.copyOf(ops);
    }

    private static Duration duringTheStorm(RandomGenerator random) {
        return Duration.ofMillis(random.nextInt((int) Faults.STORM.toMillis()));
    }

    /** Mostly seldom: whoever looks often does little else, and a night takes as long as its looks. */
    private static Duration poll(RandomGenerator random) {
        return switch (random.nextInt(32)) {
            case 0 -> Duration.ofMillis(500);
            case 1, 2, 3, 4 -> Duration.ofSeconds(3);
            default -> Duration.ofSeconds(10);
        };
    }

    /** Shortly before midnight, so that a day ends while things go wrong. */
    private static Instant beginning(RandomGenerator random) {
        return Instant.parse("2026-04-12T23:50:00Z").plusSeconds(random.nextInt(600));
    }

    private static Budget budget(RandomGenerator random) {
        return switch (random.nextInt(4)) {
            case 0 -> Budget.perJob(Budget.tokens(250));
            case 1 -> Budget.perJob(Budget.usd("0.0005"));
            case 2 -> Budget.perWorkflow(Budget.tokens(300));
            default -> Budget.perDay(Budget.tokens(300));
        };
    }

    private static Handling handling(RandomGenerator random, Instant beginning) {
        var handling = Handling.usual().priority(random.nextInt(3));
        if (random.nextInt(3) == 0) {
            handling = handling.atMost(1, "lane");
        }
        if (random.nextInt(4) == 0) {
            handling = handling.queue("mail").principal("anna");
        }
        return random.nextInt(4) == 0 ? handling.notBefore(beginning.plusSeconds(random.nextInt(120))) : handling;
    }

    /** What the job with this input does. */
    List<Op> ops(long number) {
        if (number < 0) {
            return children.get((int) -number - 1);
        }
        return errands.stream()
                .filter(errand -> errand.number() == number)
                .findFirst()
                .orElseThrow()
                .ops();
    }

    /** The input of a child. */
    static long child(int which) {
        return -1L - Math.floorMod(which, CHILDREN);
    }

    Plan withSeed(long other) {
        return new Plan(other, errands, children, site, faults, blows);
    }

    /** Plans with a little less in them, the boldest first. */
    List<Plan> smaller() {
        var smaller = new ArrayList<Plan>();
        for (var i = 0; i < errands.size() && errands.size() > 1; i++) {
            smaller.add(with(without(errands, i)));
        }
        for (var i = 0; i < blows.size(); i++) {
            smaller.add(new Plan(seed, errands, children, site, faults, without(blows, i)));
        }
        for (var calmer : faults.calmer()) {
            smaller.add(new Plan(seed, errands, children, site, calmer, blows));
        }
        if (site.workers() > 1) {
            var fewer = new Site(site.workers() - 1, site.poll(), site.budget(), site.beginning(), site.clock());
            smaller.add(new Plan(seed, errands, children, fewer, faults, blows));
        }
        for (var i = 0; i < errands.size(); i++) {
            for (var simpler : simpler(errands.get(i))) {
                var others = new ArrayList<>(errands);
                others.set(i, simpler);
                smaller.add(with(others));
            }
        }
        return smaller;
    }

    private static List<Errand> simpler(Errand errand) {
        var simpler = new ArrayList<Errand>();
        for (var i = 0; i < errand.ops().size() && errand.ops().size() > 1; i++) {
            simpler.add(new Errand(errand.number(), without(errand.ops(), i), errand.handling(), errand.calledOff()));
        }
        if (errand.calledOff() != null) {
            simpler.add(new Errand(errand.number(), errand.ops(), errand.handling(), null));
        }
        if (!errand.handling().equals(Handling.usual())) {
            simpler.add(new Errand(errand.number(), errand.ops(), Handling.usual(), errand.calledOff()));
        }
        return simpler;
    }

    private Plan with(List<Errand> others) {
        return new Plan(seed, others, children, site, faults, blows);
    }

    private static <T> List<T> without(List<T> all, int index) {
        var fewer = new ArrayList<>(all);
        fewer.remove(index);
        return List.copyOf(fewer);
    }

    /** For whoever has to understand a failure. */
    String describe() {
        var text = new StringBuilder();
        for (var errand : errands) {
            text.append("job-").append(errand.number()).append(' ').append(errand.ops());
            text.append(errand.handling().equals(Handling.usual()) ? "" : " " + errand.handling());
            text.append(errand.calledOff() == null ? "" : " called off at " + errand.calledOff());
            text.append('\n');
        }
        return text.append("children ")
                .append(children)
                .append('\n')
                .append(site)
                .append('\n')
                .append(faults)
                .append('\n')
                .append(blows)
                .toString();
    }
}
