package dev.pawl.script;

import dev.pawl.command.CommandCall;
import dev.pawl.command.CommandEnvironment;
import dev.pawl.command.Commands;
import dev.pawl.command.Order;
import dev.pawl.command.Secrets;
import dev.pawl.effect.Contract;
import dev.pawl.effect.Terms;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.script.Flow.Command;
import dev.pawl.script.Flow.FlowStep;
import dev.pawl.yaml.ValuePath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Does what a flow says. */
public final class FlowCode {
    /** How names begin that are not the flow's own. */
    static final String OURS = "pawl.";

    /** The step in which a job keeps what its flow said; no flow may have one of that name. */
    static final String BEGUN = OURS + "flow";

    private static final Duration VERIFY = Duration.ofMinutes(1);

    private final Flow flow;
    private final Commands commands;
    private final Secrets secrets;
    private final BiConsumer<Identity, String> changed;

    private FlowCode(Flow flow, Commands commands, Secrets secrets, BiConsumer<Identity, String> changed) {
        this.flow = flow;
        this.commands = commands;
        this.secrets = secrets;
        this.changed = changed;
    }

    /** The workflow that a flow is, for submitting it. */
    public static Workflow<JsonNode, JsonNode> workflow(Flow flow) {
        var fitting = flow.rules().fitting();
        return Workflow.named(flow.name(), JsonNode.class, JsonNode.class)
                .version(fitting.version())
                .runs(fitting.runs().toArray(String[]::new));
    }

    /**
     * The key of the job that is given {@code input}.
     *
     * @throws IllegalArgumentException when something is missing that the key is made of
     */
    public static Key key(Flow flow, JsonNode input) {
        var known = KnownValues.of(input);
        var parts = new ArrayList<String>();
        for (var path : flow.key()) {
            var value = known.value(path);
            if (value == null || value.isNull() || value.isContainer()) {
                throw new IllegalArgumentException("the key of " + flow.name() + " is made of " + path
                        + ", and the input has none; give one with "
                        + (path.names().getFirst().equals("slot") ? "--slot WHEN" : "--input JSON"));
            }
            parts.add(value.isNumber() ? Key.of(value.decimalValue()).parts().getFirst() : value.asString());
        }
        return new Key(parts);
    }

    /**
     * The flow with the code that does it.
     *
     * @param environment where its secrets are
     * @param changed is told of jobs that began when the flow said something else
     * @throws IllegalArgumentException when a secret is not set, or is none that can be masked
     */
    public static Workflow.Implementation<JsonNode, JsonNode> of(
            Flow flow, Commands commands, Map<String, String> environment, BiConsumer<Identity, String> changed) {
        var secrets = Secrets.needed("workflow " + flow.name(), flow.rules().secrets(), environment);
        var code = new FlowCode(flow, commands, secrets, changed);
        var implementation =
                workflow(flow).implementedBy(code::run).retry(flow.rules().retry());
        for (var budget : flow.rules().budgets()) {
            implementation = implementation.budget(budget);
        }
        return implementation;
    }

    private JsonNode run(Job job, JsonNode input) {
        notice(job);
        var known = KnownValues.of(input);
        run(job, flow.steps(), known);
        return known.results();
    }

    /** Keeps with the job what the flow said when it began; when it says something else by now, that is told and kept too. */
    private void notice(Job job) {
        var now = Outline.of(flow);
        var begun = job.step(Named.named(BEGUN), Outline.TYPE, () -> now);
        var changes = now.since(begun, Outline.renamed(flow));
        if (!changes.isEmpty()) {
            var text = "the flow was changed since this job began: " + changes;
            job.step(Named.named(BEGUN).item(now.hash()), String.class, () -> {
                changed.accept(job.identity(), text);
                return text;
            });
        }
    }

    private void run(Job job, List<FlowStep> steps, KnownValues known) {
        for (var i = 0; i < steps.size(); i++) {
            switch (steps.get(i)) {
                case FlowStep.Run run -> known.results().set(run.name(), run(job, run, known));
                case FlowStep.Sleep sleep -> job.sleep(sleep.name(), sleep.howLong());
                case FlowStep.Approve approve -> approve(job, approve, (FlowStep.Run) steps.get(i + 1), known);
                case FlowStep.ForEach loop -> known.results().set(loop.name(), loop(job, loop, known));
            }
        }
    }

    private @Nullable JsonNode run(Job job, FlowStep.Run run, KnownValues known) {
        var call = call(run, known);
        var terms = run.terms();
        return terms == null
                ? commands.step(job, named(run), call)
                : commands.effect(job, named(run), contract(job, run, terms, call, known), call);
    }

    private Contract<JsonNode> contract(Job job, FlowStep.Run run, Terms terms, CommandCall call, KnownValues known) {
        var verify = run.verify();
        if (verify == null) {
            return new Contract<>(terms, null);
        }
        var order = new Order(
                arguments(verify, known), flow.directory(), call.order().more(), VERIFY);
        return new Contract<>(
                terms, commands.verify(job, named(run), new CommandCall(order, call.input(), call.reading())));
    }

    private void approve(Job job, FlowStep.Approve approve, FlowStep.Run effect, KnownValues known) {
        commands.approve(job, named(effect), call(effect, known), approve.ask().filled(known), approve.expires());
    }

    private JsonNode loop(Job job, FlowStep.ForEach loop, KnownValues known) {
        var items = known.value(loop.in());
        if (!(items instanceof ArrayNode list)) {
            throw new PermanentFailure(loop.in() + " is no list to go through");
        }
        var name = Named.named(loop.name()).atOnce(loop.atOnce());
        var results = job.map(name, list.valueStream().toList(), item -> itemKey(loop, known.at(item)), (own, item) -> {
            var inside = known.at(item);
            run(own, loop.steps(), inside);
            return inside.results()
                    .retain(loop.steps().stream().map(FlowStep::name).toList());
        });
        var all = KnownValues.object().arrayNode();
        results.forEach(all::add);
        return all;
    }

    private static String itemKey(FlowStep.ForEach loop, KnownValues inside) {
        var value = inside.value(loop.key());
        if (value == null
                || value.isNull()
                || value.isContainer()
                || value.asString().isBlank()) {
            throw new PermanentFailure("an item of " + loop.in() + " has no " + loop.key());
        }
        return value.asString();
    }

    private static Named named(FlowStep.Run run) {
        var name = Named.named(run.name());
        for (var old : run.how().named().was()) {
            name = name.was(old);
        }
        var attempts = run.how().named().attempts();
        return attempts == null ? name : name.attempts(attempts);
    }

    private CommandCall call(FlowStep.Run run, KnownValues known) {
        var how = run.how();
        var environment = new HashMap<String, String>();
        how.environment().forEach((name, value) -> environment.put(name, value.filled(known)));
        var slot = known.input().get("slot");
        if (slot != null && slot.isString()) {
            environment.put(CommandEnvironment.SLOT, slot.asString());
        }
        return new CommandCall(
                new Order(arguments(run.command(), known), flow.directory(), environment, how.timeout()),
                input(how.stdin(), known),
                new CommandCall.Reading(how.exits(), secrets),
                asked(how.stdin(), known));
    }

    private static List<String> arguments(Command command, KnownValues known) {
        return switch (command) {
            case Command.Shell shell -> List.of("/bin/sh", "-c", shell.text());
            case Command.Arguments list ->
                list.arguments().stream()
                        .map(argument -> argument.filled(known))
                        .toList();
        };
    }

    private static String input(@Nullable ValuePath stdin, KnownValues known) {
        if (stdin == null) {
            return known.whole() + "\n";
        }
        var value = known.value(stdin);
        if (value == null) {
            throw new PermanentFailure(known.missing(stdin));
        }
        return value.isString() ? value.asString() : value + "\n";
    }

    /** What a command that names nothing may read is not what is asked of it: a step that is added must not make another request of it. */
    private static String asked(@Nullable ValuePath stdin, KnownValues known) {
        return stdin == null ? known.given() + "\n" : input(stdin, known);
    }
}
