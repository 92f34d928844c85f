package dev.pawl.checks.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * The middle of what was measured in several rounds, and how far the rounds lie apart. A round in which nothing was measured is void: it counts nowhere, and is said.
 *
 * @param median the middle one; not a number when every round is void
 * @param lowest the lowest
 * @param highest the highest
 * @param lower a quarter of the rounds are below it
 * @param upper a quarter of the rounds are above it
 * @param rounds how many counted
 * @param voided how many did not
 */
public record Spread(double median, double lowest, double highest, double lower, double upper, int rounds, int voided) {
    private static final int LEAST_ROUNDS = 3;
    private static final double CLOSE = 0.15;

    /** Of one figure. */
    public static Spread of(List<Double> values) {
        return of(values, value -> Double.isFinite(value) && value > 0);
    }

    /** Of a difference, which may be nothing or less. */
    public static Spread ofDifference(List<Double> values) {
        return of(values, Double::isFinite);
    }

    private static Spread of(List<Double> values, Predicate<Double> counts) {
        var sorted = values.stream().filter(counts).sorted().toList();
        var voided = values.size() - sorted.size();
        if (sorted.isEmpty()) {
            return new Spread(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, 0, voided);
        }
        var many = sorted.size();
        return new Spread(
                sorted.get(many / 2),
                sorted.getFirst(),
                sorted.getLast(),
                sorted.get(many / 4),
                sorted.get((3 * many - 1) / 4),
                many,
                voided);
    }

    /** How one figure stands to another that was taken in the same round. */
    public static Spread ratio(List<Double> some, List<Double> others) {
        var ratios = new ArrayList<Double>();
        for (var i = 0; i < Math.min(some.size(), others.size()); i++) {
            ratios.add(some.get(i) / others.get(i));
        }
        return of(ratios);
    }

    /** Whether half of the rounds lie so close together that more of them would say little. */
    public boolean isKnown() {
        return rounds >= LEAST_ROUNDS && upper - lower <= CLOSE * median;
    }

    /** So many rounds are measured at most where so many were asked for: until the spread is known. */
    public static int most(int rounds) {
        return 4 * rounds;
    }

    /** For people: how far the rounds lie apart, and how many there were. */
    public String text(int decimals, double times) {
        var number = "%." + decimals + "f";
        return "(" + format(number, times * lowest) + " to " + format(number, times * highest) + ", half of " + rounds
                + " within " + format(number, times * lower) + " to " + format(number, times * upper)
                + (voided == 0 ? "" : "; " + voided + " void, nothing was measured") + ")";
    }

    private static String format(String number, double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, number, value) : "?";
    }
}
