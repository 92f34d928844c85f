package dev.pawl.command;

import java.util.List;
import java.util.Map;

/**
 * What a job wants run, and how the answer is to be read.
 *
 * @param order what to run
 * @param input what it reads from its standard input
 * @param reading what its exit codes mean, and what must not be kept of its output
 */
public record Call(Order order, String input, Reading reading) {

    /**
     * How an answer is read.
     *
     * @param taught exit codes that mean something else than usual
     * @param secrets values that are masked in whatever is kept
     */
    public record Reading(Map<Integer, Meaning> taught, Secrets secrets) {
        /** As usual, and there are no secrets. */
        public static final Reading USUAL = new Reading(Map.of(), Secrets.NONE);

        public Reading {
            taught = Map.copyOf(taught);
        }
    }

    /** What is asked, as drift is judged by: another one under the same key is another request. */
    Request request() {
        return new Request(order.command(), order.more(), input);
    }

    /**
     * What is asked of a command.
     *
     * @param command the program and its arguments
     * @param environment what it is given besides
     * @param input what it reads
     */
    record Request(List<String> command, Map<String, String> environment, String input) {}
}
