package dev.pawl.checks.bench;

import java.nio.file.Path;
import java.time.Duration;

/** The rows alone: one thread, commits of as many operations as would be in flight, nobody waits for anything. */
final class RawRows implements Subject {

    @Override
    public String name() {
        return "raw";
    }

    @Override
    public double stepsPerSecond(Path file, int inFlight, Duration window) throws Exception {
        try (var rows = new Rows(file)) {
            var meter = new Meter(window);
            var job = 0L;
            var steps = 0L;
            while (!meter.over()) {
                for (var n = 0; n <= STEPS + 1; n++) {
                    rows.begin();
                    for (var i = 1; i <= inFlight; i++) {
                        rows.write(job + i, n);
                    }
                    rows.commit();
                    steps += n >= 1 && n <= STEPS ? inFlight : 0;
                }
                job += inFlight;
            }
            return meter.perSecond(steps);
        }
    }
}
