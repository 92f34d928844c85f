package dev.pawl.checks.bench.postgres;

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
        return spread(of(contender).stream().mapToDouble(what).boxed().toList()).median();
    }

    /** How values stand to others that were taken in the same rounds. */
    static Spread ratio(List<Double> some, List<Double> others) {
        var ratios = new ArrayList<Double>();
        for (var i = 0; i < some.size(); i++) {
            ratios.add(some.get(i) / others.get(i));
        }
        return spread(ratios);
    }

    /** How one contender's figure stands to another's, taken in the same round. */
    Spread ratio(String one, String other, ToDoubleFunction<Figure> what) {
        var ratios = new ArrayList<Double>();
        if (!has(other)) {
            return new Spread(Double.NaN, Double.NaN, Double.NaN);
        }
        for (var i = 0; i < of(one).size(); i++) {
            ratios.add(what.applyAsDouble(of(one).get(i))
                    / what.applyAsDouble(of(other).get(i)));
        }
        return spread(ratios);
    }

    /**
     * The middle of some values and how far they lie apart.
     *
     * @param median the middle one
     * @param lowest the lowest
     * @param highest the highest
     */
    record Spread(double median, double lowest, double highest) {}

    static Spread spread(List<Double> values) {
        var sorted = values.stream().sorted().toList();
        return new Spread(sorted.get(sorted.size() / 2), sorted.getFirst(), sorted.getLast());
    }
}
