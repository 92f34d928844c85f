package dev.pawl.test;

import dev.pawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** The machine's clocks, and the leaps that all processes of a test have made so far. */
final class LeapingTime implements Leaps {
    private final Path file;
    private final AtomicReference<Duration> leapt;

    LeapingTime(Path file) {
        this.file = file;
        try {
            this.leapt =
                    new AtomicReference<>(Files.exists(file) ? Duration.parse(Files.readString(file)) : Duration.ZERO);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Instant now() {
        return Time.system().now().plus(leapt.get());
    }

    @Override
    public long nanos() {
        return Time.system().nanos() + leapt.get().toNanos();
    }

    @Override
    public void await(Duration atMost) throws InterruptedException {
        Time.system().await(atMost);
    }

    @Override
    public void advance(Duration duration) {
        try {
            Files.writeString(
                    file, leapt.updateAndGet(before -> before.plus(duration)).toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
