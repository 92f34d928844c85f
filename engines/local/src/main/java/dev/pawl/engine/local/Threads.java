package dev.pawl.engine.local;

/** Starts threads. The one way in which the engine does, so that a test can schedule them itself. */
@FunctionalInterface
public interface Threads {

    /** What a thread is for. */
    enum Purpose {
        /** A job's code: there may be thousands. */
        JOB,
        /** A standing loop of the engine: never starved by jobs. */
        STANDING
    }

    /** Virtual threads for jobs, daemon platform threads for those that stand. */
    Threads SYSTEM = (purpose, name, work) -> {
        var builder = switch (purpose) {
            case JOB -> Thread.ofVirtual().name(name);
            case STANDING -> Thread.ofPlatform().daemon().name(name);
        };
        return builder.start(work);
    };

    /** Starts a thread. */
    Thread start(Purpose purpose, String name, Runnable work);
}
