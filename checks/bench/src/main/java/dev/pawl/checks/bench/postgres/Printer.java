package dev.pawl.checks.bench.postgres;

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

    void stepping(int inFlight, Rounds rounds) {
        speeds("W1", "\"inFlight\":" + inFlight, String.format(Locale.ROOT, "%4d in flight", inFlight), rounds, "dbos");
    }

    void draining(Rounds rounds) {
        speeds(
                "W2",
                "\"claim\":" + PawlDrain.SLOTS,
                String.format(Locale.ROOT, "%4d claimed  ", PawlDrain.SLOTS),
                rounds,
                "db-scheduler");
    }

    private void speeds(String bench, String at, String shown, Rounds rounds, String rival) {
        for (var name : ALL) {
            if (!rounds.has(name)) {
                continue;
            }
            var share = rounds.ratio(name, "bound", Figure::perSecond);
            var times = rounds.ratio(name, rival, Figure::perSecond);
            var cpu = rounds.median(name, Figure::cpuMicros);
            var cpuTimes = rounds.ratio(name, rival, Figure::cpuMicros);
            if (json) {
                System.out.printf(
                        Locale.ROOT,
                        "{\"bench\":\"%s\",\"store\":\"postgres\",\"subject\":\"%s\",%s,\"perSecond\":%.0f,\"shareOfBound\":%.3f,\"bound\":\"bound\","
                                + "\"lowest\":%.3f,\"highest\":%.3f,\"rival\":\"%s\",\"timesRival\":%.2f,\"timesRivalLowest\":%.2f,"
                                + "\"timesRivalHighest\":%.2f,\"cpuMicros\":%.1f,\"cpuTimesRival\":%.3f,\"rounds\":%d}%n",
                        bench,
                        name,
                        at,
                        rounds.median(name, Figure::perSecond),
                        share.median(),
                        share.lowest(),
                        share.highest(),
                        rival,
                        times.median(),
                        times.lowest(),
                        times.highest(),
                        cpu,
                        cpuTimes.median(),
                        rounds.of(name).size());
            } else {
                System.out.printf(
                        Locale.ROOT,
                        "%s postgres  %-13s %s %8.0f/s  %5.1f %% of bound (%.1f to %.1f)  %5.2f times %s (%.2f to %.2f)  %6.1f µs of CPU%n",
                        bench,
                        name,
                        shown,
                        rounds.median(name, Figure::perSecond),
                        100 * share.median(),
                        100 * share.lowest(),
                        100 * share.highest(),
                        times.median(),
                        rival,
                        times.lowest(),
                        times.highest(),
                        cpu);
            }
        }
    }

    void resuming(List<Double> bulk, List<Double> pawl, List<Double> dbos) {
        var times = Rounds.ratio(pawl, bulk);
        var faster = Rounds.ratio(dbos, pawl);
        if (json) {
            System.out.printf(
                    Locale.ROOT,
                    "{\"bench\":\"W3\",\"store\":\"postgres\",\"subject\":\"pawl\",\"millis\":%.2f,\"boundMillis\":%.2f,\"timesBound\":%.2f,"
                            + "\"lowest\":%.2f,\"highest\":%.2f,\"rival\":\"dbos\",\"timesFasterThanRival\":%.2f,\"rounds\":%d}%n"
                            + "{\"bench\":\"W3\",\"store\":\"postgres\",\"subject\":\"bound\",\"millis\":%.2f,\"rounds\":%d}%n"
                            + "{\"bench\":\"W3\",\"store\":\"postgres\",\"subject\":\"dbos\",\"millis\":%.2f,\"rounds\":%d}%n",
                    Rounds.spread(pawl).median(),
                    Rounds.spread(bulk).median(),
                    times.median(),
                    times.lowest(),
                    times.highest(),
                    faster.median(),
                    pawl.size(),
                    Rounds.spread(bulk).median(),
                    pawl.size(),
                    Rounds.spread(dbos).median(),
                    pawl.size());
        } else {
            System.out.printf(
                    Locale.ROOT,
                    "W3 postgres  bulk read and decode %.2f ms, pawl %.2f ms: %.2f times bulk (%.2f to %.2f); dbos %.1f ms: %.1f times pawl (%.1f to %.1f)%n",
                    Rounds.spread(bulk).median(),
                    Rounds.spread(pawl).median(),
                    times.median(),
                    times.lowest(),
                    times.highest(),
                    Rounds.spread(dbos).median(),
                    faster.median(),
                    faster.lowest(),
                    faster.highest());
        }
    }

    void listing(List<Double> bare, List<Double> pawl) {
        var share = Rounds.ratio(pawl, bare);
        System.out.printf(
                Locale.ROOT,
                json
                        ? "{\"bench\":\"submit\",\"store\":\"postgres\",\"subject\":\"pawl\",\"perSecond\":%.0f,\"boundPerSecond\":%.0f,"
                                + "\"shareOfBound\":%.3f,\"lowest\":%.3f,\"highest\":%.3f,\"rounds\":%d}%n"
                        : "submit postgres  pawl %.0f jobs/s as lists, bare insert %.0f rows/s: %.3f of it (%.3f to %.3f), %d rounds%n",
                Rounds.spread(pawl).median(),
                Rounds.spread(bare).median(),
                share.median(),
                share.lowest(),
                share.highest(),
                pawl.size());
    }

    void latencies(String bench, List<Double> millis) {
        var sorted = millis.stream().sorted().toList();
        System.out.printf(
                Locale.ROOT,
                json
                        ? "{\"bench\":\"%s\",\"store\":\"postgres\",\"subject\":\"pawl\",\"p50Millis\":%.2f,\"p99Millis\":%.2f,\"samples\":%d}%n"
                        : "%s postgres  pawl from submit to the first step: p50 %.2f ms, p99 %.2f ms, %d samples%n",
                bench,
                sorted.get(sorted.size() / 2),
                sorted.get(sorted.size() * 99 / 100),
                sorted.size());
    }

    void takeover(List<Double> terms) {
        var spread = Rounds.spread(terms);
        System.out.printf(
                Locale.ROOT,
                json
                        ? "{\"bench\":\"takeover\",\"store\":\"postgres\",\"subject\":\"pawl\",\"terms\":%.2f,\"lowest\":%.2f,\"highest\":%.2f,\"rounds\":%d}%n"
                        : "takeover postgres  pawl runs a killed worker's jobs elsewhere after %.2f terms (%.2f to %.2f), %d rounds%n",
                spread.median(),
                spread.lowest(),
                spread.highest(),
                terms.size());
    }

    void history(List<Double> first, List<Double> without, List<Double> with) {
        var times = Rounds.ratio(with, without);
        System.out.printf(
                Locale.ROOT,
                json
                        ? "{\"bench\":\"history\",\"store\":\"postgres\",\"subject\":\"pawl\",\"millis\":%.2f,\"emptyMillis\":%.2f,\"timesEmpty\":%.2f,"
                                + "\"lowest\":%.2f,\"highest\":%.2f,\"firstMillis\":%.2f,\"rounds\":%d}%n"
                        : "history postgres  pawl claims 100 in %.2f ms, without history %.2f ms: %.2f times (%.2f to %.2f); the very first claim %.2f ms, %d rounds%n",
                Rounds.spread(with).median(),
                Rounds.spread(without).median(),
                times.median(),
                times.lowest(),
                times.highest(),
                first.getFirst(),
                with.size());
    }
}
