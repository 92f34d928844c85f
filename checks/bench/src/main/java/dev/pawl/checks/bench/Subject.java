package dev.pawl.checks.bench;

import java.nio.file.Path;
import java.time.Duration;

/** Something that runs W1: jobs of five steps with a 200-byte result each, every step durable before the next. */
interface Subject {

    /** Steps in a job. */
    int STEPS = 5;

    /** A step's result as JSON: 200 bytes. */
    String RESULT = "\"" + "x".repeat(198) + "\"";

    String name();

    /** Runs on a new file for so long and says how many steps a second became durable. */
    double stepsPerSecond(Path file, int inFlight, Duration window) throws Exception;
}
