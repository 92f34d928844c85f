package dev.pawl.checks.crash.storm;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A small workflow, the same for a number whoever asks.
 *
 * @param operations what it does, one after the other
 */
record Program(List<Operation> operations) {
    private static final int MOST = 5;

    /** What a workflow does. */
    enum Operation {
        /** Something that is free to repeat. */
        STEP,
        /** SQL in the store's own database. */
        BOOK,
        /** An effect whose destination deduplicates. */
        ONCE,
        /** An effect whose destination can be asked. */
        SHIP,
        /** An effect of which nobody can know. */
        MAIL,
        /** A little sleep, out of memory. */
        NAP,
        /** Another job, waited for. */
        CHILD
    }

    /** The program of job {@code number}; one whose number is below zero is a child, and calls none. */
    static Program of(int number) {
        var random = new Random(number * 7_919L + 1);
        var operations = new ArrayList<Operation>();
        var many = 1 + random.nextInt(MOST);
        for (var i = 0; i < many; i++) {
            var operation = Operation.values()[random.nextInt(Operation.values().length)];
            operations.add(operation == Operation.CHILD && number < 0 ? Operation.STEP : operation);
        }
        return new Program(operations);
    }

    /** The number of the child that job {@code number} calls. */
    static int childOf(int number) {
        return -number;
    }

    /** What operation {@code n} is called. */
    static String name(int n) {
        return "op-" + n;
    }
}
