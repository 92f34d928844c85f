package dev.pawl.checks.bench.postgres;

import dev.pawl.checks.bench.FigureLine;
import dev.pawl.checks.bench.Spread;
import java.util.List;
import java.util.Locale;

/** Prints figures, for people or as a line of JSON each. */
final class Printer {
    private static final List<String> ALL =
            List.of("skeleton", "bound", "pawl", "pawl-one-step", "dbos", "db-scheduler", "jobrunr");

    private final boolean json;

    Printer(boolean json) {
        this.json = json;
    }

    private static FigureLine line(String bench, String subject) {
        return new FigureLine(bench, "postgres", subject);
    }

    private void say(FigureLine machines, String people) {
        System.out.println(json ? machines.toString() : people);
    }

    void stepping(int inFlight, Rounds rounds) {
        speeds("W1", "inFlight", inFlight, "in flight", rounds, "dbos");
    }

    void draining(Rounds rounds) {
        speeds("W2", "claim", PawlDrain.SLOTS, "claimed  ", rounds, "db-scheduler");
    }

    private void speeds(String bench, String at, int many, String shown, Rounds rounds, String rival) {
        for (var name : ALL) {
            if (!rounds.has(name)) {
                continue;
            }
            var perSecond = rounds.median(name, Figure::perSecond);
            var share = rounds.ratio(name, "bound", Figure::perSecond);
            var times = rounds.ratio(name, rival, Figure::perSecond);
            var cpu = rounds.median(name, Figure::cpuMicros);
            say(
                    line(bench, name)
                            .with(at, many)
                            .with("perSecond", perSecond, 0)
                            .with("bound", "bound")
                            .with("shareOfBound", share)
                            .with("rival", rival)
                            .with("timesRival", times.median(), 2)
                            .with("timesRivalLowest", times.lowest(), 2)
                            .with("timesRivalHighest", times.highest(), 2)
                            .with("cpuMicros", cpu, 1)
                            .with(
                                    "cpuTimesRival",
                                    rounds.ratio(name, rival, Figure::cpuMicros).median(),
                                    3),
                    String.format(
                            Locale.ROOT,
                            "%s postgres  %-13s %4d %s %8.0f/s  %5.1f %% of bound %s  %5.2f times %s %s  %6.1f µs of CPU",
                            bench,
                            name,
                            many,
                            shown,
                            perSecond,
                            100 * share.median(),
                            share.text(1, 100),
                            times.median(),
                            rival,
                            times.text(2, 1),
                            cpu));
        }
    }

    void resuming(List<Double> bulk, List<Double> pawl, List<Double> dbos) {
        var times = Spread.ratio(pawl, bulk);
        var faster = Spread.ratio(dbos, pawl);
        if (json) {
            System.out.println(
                    line("W3", "bound").with("millis", Spread.of(bulk).median(), 2));
            System.out.println(line("W3", "dbos").with("millis", Spread.of(dbos).median(), 2));
        }
        say(
                line("W3", "pawl")
                        .with("millis", Spread.of(pawl).median(), 2)
                        .with("boundMillis", Spread.of(bulk).median(), 2)
                        .with("timesBound", times)
                        .with("rival", "dbos")
                        .with("timesFasterThanRival", faster.median(), 2),
                String.format(
                        Locale.ROOT,
                        "W3 postgres  bulk read and decode %.2f ms, pawl %.2f ms: %.2f times bulk %s; dbos %.1f ms: %.1f times pawl %s",
                        Spread.of(bulk).median(),
                        Spread.of(pawl).median(),
                        times.median(),
                        times.text(2, 1),
                        Spread.of(dbos).median(),
                        faster.median(),
                        faster.text(1, 1)));
    }

    void listing(List<Double> bare, List<Double> pawl) {
        var share = Spread.ratio(pawl, bare);
        say(
                line("submit", "pawl")
                        .with("perSecond", Spread.of(pawl).median(), 0)
                        .with("boundPerSecond", Spread.of(bare).median(), 0)
                        .with("shareOfBound", share),
                String.format(
                        Locale.ROOT,
                        "submit postgres  pawl %.0f jobs/s as lists, bare insert %.0f rows/s: %.3f of it %s",
                        Spread.of(pawl).median(),
                        Spread.of(bare).median(),
                        share.median(),
                        share.text(3, 1)));
    }

    void latencies(String bench, List<Double> millis) {
        var sorted = millis.stream().sorted().toList();
        var p50 = sorted.get(sorted.size() / 2);
        var p99 = sorted.get(sorted.size() * 99 / 100);
        say(
                line(bench, "pawl")
                        .with("p50Millis", p50, 2)
                        .with("p99Millis", p99, 2)
                        .with("samples", sorted.size()),
                String.format(
                        Locale.ROOT,
                        "%s postgres  pawl from submit to the first step: p50 %.2f ms, p99 %.2f ms, %d samples",
                        bench,
                        p50,
                        p99,
                        sorted.size()));
    }

    void takeover(List<Double> terms) {
        var spread = Spread.of(terms);
        say(
                line("takeover", "pawl").with("terms", spread),
                String.format(
                        Locale.ROOT,
                        "takeover postgres  pawl runs a killed worker's jobs elsewhere after %.2f terms %s",
                        spread.median(),
                        spread.text(2, 1)));
    }

    void history(List<Double> first, List<Double> without, List<Double> with) {
        var times = Spread.ratio(with, without);
        say(
                line("history", "pawl")
                        .with("millis", Spread.of(with).median(), 2)
                        .with("emptyMillis", Spread.of(without).median(), 2)
                        .with("timesEmpty", times)
                        .with("firstMillis", first.getFirst(), 2),
                String.format(
                        Locale.ROOT,
                        "history postgres  pawl claims 100 in %.2f ms, without history %.2f ms: %.2f times %s; the very first claim %.2f ms",
                        Spread.of(with).median(),
                        Spread.of(without).median(),
                        times.median(),
                        times.text(2, 1),
                        first.getFirst()));
    }
}
