package dev.pawl.script;

import dev.pawl.json.TypeToken;
import dev.pawl.key.Encoding;
import dev.pawl.script.Flow.FlowStep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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

    /** What steps of {@code flow} were called before, by their names of today; those of a loop are named after it. */
    static Map<String, List<String>> renamed(Flow flow) {
        var names = new LinkedHashMap<String, List<String>>();
        addNames(names, "", flow.steps());
        return names;
    }

    private static void addNames(Map<String, List<String>> to, String before, List<FlowStep> steps) {
        for (var step : steps) {
            if (step instanceof FlowStep.Run run) {
                to.put(
                        before + run.name(),
                        run.how().named().was().stream()
                                .map(old -> before + old)
                                .toList());
            } else if (step instanceof FlowStep.ForEach loop) {
                addNames(to, before + loop.name() + "/", loop.steps());
            }
        }
    }

    /**
     * What this one has otherwise than {@code earlier}, in a sentence; empty when they say the same.
     *
     * @param was what its steps were called before, by their names of today
     */
    String since(Outline earlier, Map<String, List<String>> was) {
        var changes = new ArrayList<String>();
        var gone = new LinkedHashSet<>(earlier.steps().keySet());
        gone.removeAll(steps.keySet());
        steps.forEach((name, hash) -> {
            var old = earlier.steps().containsKey(name) ? name : firstOf(was.getOrDefault(name, List.of()), gone);
            if (old == null) {
                changes.add(name + " is new");
                return;
            }
            var renamed = gone.remove(old);
            var changed = !hash.equals(earlier.steps().get(old));
            if (renamed) {
                changes.add(old + " is called " + name + " now" + (changed ? " and says something else" : ""));
            } else if (changed) {
                changes.add(name + " says something else");
            }
        });
        gone.forEach(name -> changes.add(name + " is gone"));
        return String.join(", ", changes);
    }

    private static @Nullable String firstOf(List<String> names, Set<String> there) {
        return names.stream().filter(there::contains).findFirst().orElse(null);
    }

    /** 32 hex digits that stand for all of it. */
    String hash() {
        return Encoding.hash(steps.toString());
    }
}
