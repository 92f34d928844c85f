package dev.pawl.checks.bench;

import dev.pawl.json.Json;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One figure as a line of JSON. What was not measured is null. */
public final class FigureLine {
    private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

    /** Of a measurement on a store. */
    public FigureLine(String bench, String store, String subject) {
        fields.put("bench", bench);
        fields.put("store", store);
        fields.put("subject", subject);
    }

    /** A word or a whole number. */
    public FigureLine with(String name, Object value) {
        fields.put(name, value);
        return this;
    }

    /** A number with so many decimals. */
    public FigureLine with(String name, double value, int decimals) {
        fields.put(
                name,
                Double.isFinite(value) ? BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP) : null);
        return this;
    }

    /** A ratio, and how far its rounds lie apart. */
    public FigureLine with(String name, Spread ratio) {
        return with(name, ratio.median(), 3)
                .with("lowest", ratio.lowest(), 3)
                .with("highest", ratio.highest(), 3)
                .with("lowerQuarter", ratio.lower(), 3)
                .with("upperQuarter", ratio.upper(), 3)
                .with("rounds", ratio.rounds())
                .with("void", ratio.voided());
    }

    @Override
    public String toString() {
        return Json.write(fields);
    }
}
