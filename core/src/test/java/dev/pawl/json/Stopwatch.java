package dev.pawl.json;

/** A class of its own file that nobody can make of its members. */
final class Stopwatch {
    private final long nanos;

    Stopwatch(long nanos, boolean running) {
        this.nanos = running ? nanos : 0;
    }

    public long getNanos() {
        return nanos;
    }
}
