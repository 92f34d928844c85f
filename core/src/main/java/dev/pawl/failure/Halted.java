package dev.pawl.failure;

import java.time.Duration;

/** Nothing was begun, because so much has failed alike that something is wrong which is no job's fault: all wait together until one tries whether it is over. */
public final class Halted extends AccountTrouble {

    /** What is wrong, and after how long the next one tries. */
    public Halted(String message, Duration lookAgain) {
        super(message, lookAgain);
    }
}
