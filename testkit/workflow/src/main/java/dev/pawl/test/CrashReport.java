package dev.pawl.test;

import dev.pawl.job.JobState;
import dev.pawl.text.Many;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How often each effect of a workflow happened, over all crashes.
 *
 * @param job which job
 * @param crashes how many crashes there were
 * @param rows what can happen, and how often it did
 * @param failures crashes after which the job did not succeed
 */
public record CrashReport(String job, int crashes, List<EffectCount> rows, List<String> failures) {
    public CrashReport {
        rows = List.copyOf(rows);
        failures = List.copyOf(failures);
    }

    /**
     * One thing that can happen.
     *
     * @param what an effect, or what the test's doubles call it
     * @param allowed whether more than once is allowed: its destination deduplicates
     * @param fewest how often it happened after the crash after which it happened least
     * @param most how often it happened after the crash after which it happened most
     * @param where the crash after which it happened not at all or too often; empty when there is none
     */
    public record EffectCount(String what, boolean allowed, int fewest, int most, String where) {
        private boolean wrong() {
            return fewest == 0 || (most > 1 && !allowed);
        }

        private String times() {
            return most > 1 ? "2+" : fewest == 0 ? "0" : "1";
        }
    }

    /**
     * Fails with the table when something happened not at all, or more often than its contract allows, or when a crash made the job fail.
     *
     * @throws AssertionError with the table
     */
    public CrashReport eachEffectHappenedOnce() {
        if (crashes == 0) {
            throw new AssertionError("job " + job + " was never crashed, so nothing is shown");
        }
        if (!failures.isEmpty() || rows.stream().anyMatch(EffectCount::wrong)) {
            throw new AssertionError(table());
        }
        return this;
    }

    /** For people: how often each thing happened (0, 1, 2+), and the crash that shows what is wrong. */
    public String table() {
        var table = new StringBuilder("job " + job + ", crashed " + Many.of(crashes, "time") + "\n");
        rows.forEach(row -> table.append(line(row)).append('\n'));
        failures.forEach(failure -> table.append("  job ").append(failure).append('\n'));
        return table.toString();
    }

    private static String line(EffectCount row) {
        var note = row.wrong() ? "WRONG, crashed " + row.where() : row.most() > 1 ? "its destination deduplicates" : "";
        return String.format("  %-3s %-30s %s", row.times(), row.what(), note).stripTrailing();
    }

    /** Gathers the runs. */
    static final class Builder {
        private final String job;
        private final Map<String, EffectCount> rows = new LinkedHashMap<>();
        private final List<String> failures = new ArrayList<>();
        private int crashes;

        Builder(String job) {
            this.job = job;
        }

        void add(String where, CrashEverywhere.CrashedRun run, Outside outside) {
            crashes += where.isEmpty() ? 0 : 1;
            var seen = new LinkedHashMap<String, EffectCount>();
            run.witness().acted().values().stream()
                    .sorted(Comparator.comparing(Witness.Acted::name))
                    .forEach(acted -> seen.merge(
                            "effect " + acted.name(),
                            new EffectCount(
                                    "effect " + acted.name(),
                                    acted.deduplicated(),
                                    acted.times(),
                                    acted.times(),
                                    where),
                            Builder::worse));
            outside.counts()
                    .forEach((what, times) -> seen.put(what, new EffectCount(what, false, times, times, where)));
            if (run.job().state() != JobState.DONE) {
                failures.add("is " + run.job().state() + why(run) + (where.isEmpty() ? "" : " when crashed " + where));
            }
            if (where.isEmpty()) {
                rows.putAll(seen);
                return;
            }
            seen.keySet().forEach(what -> rows.putIfAbsent(what, seen.get(what)));
            rows.replaceAll((what, row) ->
                    worse(row, seen.getOrDefault(what, new EffectCount(what, row.allowed(), 0, 0, where))));
        }

        /** Of two findings about one thing the range, with the crash that is worth showing. */
        private static EffectCount worse(EffectCount a, EffectCount b) {
            var both = new EffectCount(
                    a.what(), a.allowed(), Math.min(a.fewest(), b.fewest()), Math.max(a.most(), b.most()), a.where());
            return a.wrong() || !b.wrong()
                    ? both
                    : new EffectCount(both.what(), both.allowed(), both.fewest(), both.most(), b.where());
        }

        private static String why(CrashEverywhere.CrashedRun run) {
            var failure = run.job().outcome().failure();
            return failure == null
                    ? ""
                    : " (" + failure.place() + ": " + failure.failure().message() + ")";
        }

        CrashReport build() {
            return new CrashReport(job, crashes, new ArrayList<>(rows.values()), failures);
        }
    }
}
