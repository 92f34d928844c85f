package dev.pawl.script;

import dev.pawl.command.Meaning;
import dev.pawl.effect.Terms;
import dev.pawl.gate.Budget;
import dev.pawl.retry.Retry;
import dev.pawl.yaml.ValuePath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A workflow as a file says it.
 *
 * @param name the workflow's name
 * @param key the paths that a job's key is made of
 * @param rules what holds for all steps
 * @param steps in their order
 * @param directory where commands run: the file's own
 */
public record Flow(String name, List<ValuePath> key, Rules rules, List<FlowStep> steps, Path directory) {
    public Flow {
        key = List.copyOf(key);
        steps = List.copyOf(steps);
    }

    /** The same under another name. */
    public Flow named(String other) {
        return new Flow(other, key, rules, steps, directory);
    }

    /** The programs that it runs by name, to see whether they are there; those in shell strings are not among them. */
    public List<String> programs() {
        return programs(steps).distinct().toList();
    }

    private static Stream<String> programs(List<FlowStep> steps) {
        return steps.stream().flatMap(step -> switch (step) {
            case FlowStep.Run run -> Stream.of(run.command(), run.verify()).flatMap(Flow::program);
            case FlowStep.ForEach loop -> programs(loop.steps());
            case FlowStep.Approve ignored -> Stream.empty();
            case FlowStep.Sleep ignored -> Stream.empty();
        });
    }

    private static Stream<String> program(@Nullable Command command) {
        return command instanceof Command.Arguments list
                        && list.arguments().getFirst().parts().size() == 1
                        && list.arguments().getFirst().parts().getFirst() instanceof Template.Piece.Text name
                ? Stream.of(name.text())
                : Stream.empty();
    }

    /**
     * Which jobs it goes on with.
     *
     * @param version what it says of itself; empty for nothing
     * @param runs other versions of it whose jobs it goes on with
     */
    public record Fitting(String version, List<String> runs) {
        public Fitting {
            runs = List.copyOf(runs);
        }
    }

    /**
     * What holds for all steps.
     *
     * @param retry how often they are tried
     * @param timeout how long a command may take, unless it says
     * @param secrets environment variables that must be set and are masked
     * @param principal on whose behalf jobs act; empty for nobody in particular
     * @param budgets how much may be spent
     * @param fitting which jobs it goes on with, of those that were begun with another version of it
     */
    public record Rules(
            Retry retry,
            Duration timeout,
            List<String> secrets,
            String principal,
            List<Budget> budgets,
            Fitting fitting) {
        public Rules {
            secrets = List.copyOf(secrets);
            budgets = List.copyOf(budgets);
        }
    }

    /** One thing after the other. */
    sealed interface FlowStep {
        /** What it is called. */
        String name();

        /**
         * A command: free to repeat, or one that touches the world.
         *
         * @param terms the contract of an effect; null when it is a step
         * @param verify how to ask whether it happened; null when nobody can
         */
        record Run(
                String name,
                Command command,
                CommandSettings how,
                @Nullable Terms terms,
                @Nullable Command verify) implements FlowStep {}

        /** A person's yes to the effect that follows. */
        record Approve(String name, Template ask, Duration expires) implements FlowStep {}

        /** A while. */
        record Sleep(String name, Duration howLong) implements FlowStep {}

        /**
         * The same for many.
         *
         * @param in where the items are
         * @param key where an item's key is, seen from the item
         */
        record ForEach(String name, ValuePath in, ValuePath key, int atOnce, List<FlowStep> steps) implements FlowStep {
            public ForEach {
                steps = List.copyOf(steps);
            }
        }
    }

    /** What is run. */
    sealed interface Command {
        /** By a shell, as it stands. */
        record Shell(String text) implements Command {}

        /** A program with its arguments; no shell reads them. */
        record Arguments(List<Template> arguments) implements Command {
            public Arguments {
                arguments = List.copyOf(arguments);
            }
        }
    }

    /**
     * How a command is run.
     *
     * @param environment what it is given besides
     * @param stdin the value that it reads; null for all that is known
     * @param exits what its exit codes mean
     * @param timeout how long it may take
     * @param named names of earlier versions, and how often it is tried
     */
    record CommandSettings(
            Map<String, Template> environment,
            @Nullable ValuePath stdin,
            Map<Integer, Meaning> exits,
            Duration timeout,
            Naming named) {
        public CommandSettings {
            environment = Map.copyOf(environment);
            exits = Map.copyOf(exits);
        }
    }

    /**
     * Names of earlier versions, and how often it is tried.
     *
     * @param attempts null for the flow's
     */
    record Naming(List<String> was, @Nullable Integer attempts) {
        public Naming {
            was = List.copyOf(was);
        }
    }
}
