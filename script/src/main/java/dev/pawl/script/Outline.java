package dev.pawl.script;

import dev.pawl.json.TypeToken;
import dev.pawl.key.Encoding;
import dev.pawl.script.Flow.FlowStep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A flow as far as a job that has begun must know it again: its steps, and a hash of what each says.
 *
 * @param steps hashes by the names of the steps; those of a loop are named after it
 */
record Outline(Map<String, String> steps) {
    static final TypeToken<Outline> TYPE = TypeToken.of(Outline.class);

    static Outline of(Flow flow) {
        var steps = new LinkedHashMap<String, String>();
        add(steps, "", flow.steps());
        return new Outline(steps);
    }

    private static void add(Map<String, String> to, String before, List<FlowStep> steps) {
        for (var step : steps) {
            to.put(before + step.name(), Encoding.hash(text(step)));
            if (step instanceof FlowStep.ForEach loop) {
                add(to, before + step.name() + "/", loop.steps());
            }
        }
    }

    /** What a step says, the same in every process: a map as it comes has an order of its own in each. */
    private static String text(FlowStep step) {
        return switch (step) {
            case FlowStep.Run run ->
                List.of(
                                String.valueOf(run.command()),
                                String.valueOf(run.verify()),
                                String.valueOf(run.terms()),
                                new TreeMap<>(run.how().environment()).toString(),
                                new TreeMap<>(run.how().exits()).toString(),
                                String.valueOf(run.how().stdin()),
                                run.how().timeout().toString())
                        .toString();
            case FlowStep.Approve approve -> approve.toString();
            case FlowStep.Sleep sleep -> sleep.toString();
            case FlowStep.ForEach loop -> loop.in() + " " + loop.key();
        };
    }

    /** What this one has otherwise than {@code earlier}, in a sentence; empty when they say the same. */
    String since(Outline earlier) {
        var changes = new ArrayList<String>();
        steps.forEach((name, hash) -> {
            var before = earlier.steps().get(name);
            if (before == null) {
                changes.add(name + " is new");
            } else if (!before.equals(hash)) {
                changes.add(name + " says something else");
            }
        });
        earlier.steps().keySet().stream()
                .filter(name -> !steps.containsKey(name))
                .forEach(name -> changes.add(name + " is gone"));
        return String.join(", ", changes);
    }

    /** 32 hex digits that stand for all of it. */
    String hash() {
        return Encoding.hash(steps.toString());
    }
}
