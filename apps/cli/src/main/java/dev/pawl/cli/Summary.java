package dev.pawl.cli;

import dev.pawl.batch.Report;
import dev.pawl.event.Logfmt;
import dev.pawl.time.Durations;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The line that every run ends with. */
final class Summary {

    private Summary() {}

    static String line(Report report) {
        return line(fields(report));
    }

    static String line(Map<String, ? extends @Nullable Object> fields) {
        var line = new StringBuilder();
        fields.forEach((name, value) -> Logfmt.append(line, name, String.valueOf(value)));
        return line.toString();
    }

    static Map<String, Object> fields(Report report) {
        var fields = new LinkedHashMap<String, Object>();
        var rows = report.rows();
        fields.put("batch", report.batch());
        fields.put("done", rows.done());
        fields.put("skipped", rows.skipped());
        if (rows.changed() > 0) {
            fields.put("changed", rows.changed());
        }
        fields.put("failed", rows.failed());
        if (rows.before() > 0) {
            fields.put("failed-before", rows.before());
        }
        if (rows.calledOff() > 0) {
            fields.put("called-off", rows.calledOff());
        }
        fields.put("paused", rows.paused());
        fields.put("waiting", rows.waiting());
        fields.put("cost", report.cost().toString());
        fields.put("time", Durations.word(report.time()));
        return fields;
    }
}
