package dev.pawl.test;

import dev.pawl.time.Time;
import java.time.Duration;

/** A clock that a test can advance. */
interface Leaps extends Time {
    /** Lets so much time pass at once. */
    void advance(Duration duration);
}
