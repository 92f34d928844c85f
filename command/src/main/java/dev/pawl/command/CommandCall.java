package dev.pawl.command;

import dev.pawl.effect.ForPeople;
import dev.pawl.effect.Reworded;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a job wants run, and how the answer is to be read.
 *
 * @param order what to run
 * @param input what it reads from its standard input
 * @param reading what its exit codes mean, and what must not be kept of its output
 * @param asked as much of the input as is part of what is asked: the rest is there to be read, and may be another one tomorrow
 */
public record CommandCall(Order order, String input, Reading reading, String asked) {

    /** One whose whole input is part of what is asked. */
    public CommandCall(Order order, String input, Reading reading) {
        this(order, input, reading, input);
    }

    /** What it reads from its standard input, as it reads it. */
    byte[] inputBytes() {
        return input.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * How an answer is read.
     *
     * @param taught exit codes that mean something else than usual
     * @param secrets values that are masked in whatever is kept
     * @param wantsResult whether anybody wants to know what it says; else it may say as much as it likes
     */
    public record Reading(Map<Integer, Meaning> taught, Secrets secrets, boolean wantsResult) {
        /** As usual, and there are no secrets. */
        public static final Reading USUAL = new Reading(Map.of(), Secrets.NONE);

        /** Says in a folder that whoever minds its command masks what it writes. */
        static final String MASKED = "masked";

        public Reading {
            taught = Map.copyOf(taught);
        }

        /** Where the result is wanted. */
        public Reading(Map<Integer, Meaning> taught, Secrets secrets) {
            this(taught, secrets, true);
        }

        /** As text, without secrets: whoever reads the answer later may not know the call. */
        String text() {
            var text = new StringBuilder(MASKED + "\n" + (wantsResult ? "result\n" : ""));
            taught.forEach((code, meaning) ->
                    text.append(code).append('=').append(meaning.name()).append('\n'));
            return text.toString();
        }

        /** The reading that {@code text} is, with these secrets. */
        static Reading of(String text, Secrets secrets) {
            var taught = new HashMap<Integer, Meaning>();
            text.lines().filter(line -> line.contains("=")).forEach(line -> {
                var parts = line.split("=", 2);
                taught.put(Integer.valueOf(parts[0]), Meaning.valueOf(parts[1]));
            });
            return new Reading(taught, secrets, text.lines().anyMatch("result"::equals));
        }

        /** The same where nobody wants to know what it says. */
        public Reading withoutResult() {
            return new Reading(taught, secrets, false);
        }
    }

    /** What is asked, as drift is judged by: another one under the same key is another request. */
    Request request() {
        return new Request(order.command(), order.more(), asked, input, ShownCommand.of(this));
    }

    /** What is asked of a command. */
    static final class Request implements Reworded, ForPeople {
        private final List<String> command;
        private final Map<String, String> environment;
        private final String input;
        private final String whole;
        private final ShownCommand shown;

        /**
         * Once, all that a command may read was part of what is asked.
         *
         * @param command the program and its arguments
         * @param environment what it is given besides
         * @param input what it reads, as far as that is part of what is asked
         * @param whole all that it reads
         * @param shown what people see of it
         */
        Request(List<String> command, Map<String, String> environment, String input, String whole, ShownCommand shown) {
            this.command = command;
            this.environment = environment;
            this.input = input;
            this.whole = whole;
            this.shown = shown;
        }

        /** The program and its arguments. */
        public List<String> getCommand() {
            return command;
        }

        /** What it is given besides. */
        public Map<String, String> getEnvironment() {
            return environment;
        }

        /** What it reads, as far as that is part of what is asked. */
        public String getInput() {
            return input;
        }

        @Override
        public Request earlier() {
            return new Request(command, environment, whole, whole, shown);
        }

        @Override
        public ShownCommand forPeople() {
            return shown;
        }
    }
}
