package dev.pawl.checks.bench.postgres;

import dev.pawl.checks.bench.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The figures of all rounds. Not thread-safe. */
final class Rounds {
    private final Map<String, List<Figure>> figures = new LinkedHashMap<>();

    void add(String contender, Figure figure) {
        figures.computeIfAbsent(contender, name -> new ArrayList<>()).add(figure);
    }

    List<Figure> of(String contender) {
        return figures.getOrDefault(contender, List.of());
    }

    boolean has(String contender) {
        return figures.containsKey(contender);
    }

    double median(String contender, ToDoubleFunction<Figure> what) {
        return Spread.of(values(contender, what)).median();
    }

    /** How one contender's figure stands to another's, taken in the same round. */
    Spread ratio(String one, String other, ToDoubleFunction<Figure> what) {
        return Spread.ratio(values(one, what), values(other, what));
    }

    private List<Double> values(String contender, ToDoubleFunction<Figure> what) {
        return of(contender).stream().mapToDouble(what).boxed().toList();
    }
}
