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
}
