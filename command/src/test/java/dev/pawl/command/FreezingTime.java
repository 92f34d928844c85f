package dev.pawl.command;

import dev.pawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** The machine's clocks for a process that can be frozen: whoever asks them then gets no further before it is thawed. */
final class FreezingTime implements Time {
    private volatile CompletableFuture<Boolean> thawed = CompletableFuture.completedFuture(true);

    /** From now on nobody gets past a clock. */
    void freeze() {
        thawed = new CompletableFuture<>();
    }

    void thaw() {
        thawed.complete(true);
    }

    @Override
    public Instant now() {
        thawed.join();
        return Time.system().now();
    }

    @Override
    public long nanos() {
        thawed.join();
        return Time.system().nanos();
    }

    @Override
    public void await(Duration atMost) throws InterruptedException {
        Time.system().await(atMost);
        thawed.join();
    }
}
