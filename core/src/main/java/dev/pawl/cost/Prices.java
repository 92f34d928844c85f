package dev.pawl.cost;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What models cost, in US dollars per million tokens. A table to edit: one line per model,
 *
 * <pre>
 * model, input, output, cached-input, batch-input, batch-output, cache-write
 * some-model, 3.00, 15.00, 0.30, 1.50, 7.50, 3.75
 * </pre>
 *
 * <p>An empty field is not known; a line that begins with {@code #} is a remark. A use of a model or of a kind without a price has an unknown
 * cost, never none. The file in which litellm keeps its prices is read as well.
 *
 * @param models the price of each model
 */
public record Prices(Map<String, Price> models) {
    private static final Prices NONE = new Prices(Map.of());
    private static final BigDecimal MOST = BigDecimal.valueOf(1_000);
    private static final int FIELDS = 7;
    private static final String HEADING = "model, input, output, cached-input, batch-input, batch-output, cache-write";
    private static final int MOST_BYTES = 4 << 20;

    public Prices {
        models = Map.copyOf(models);
    }

    /**
     * US dollars per million tokens; null where it is not known.
     *
     * @param input what goes in
     * @param output what comes out
     * @param cached what comes from the cache
     * @param batchInput what goes in through a batch
     * @param batchOutput what comes out of a batch
     * @param cacheWrite what goes in and is written to the cache
     */
    public record Price(
            @Nullable BigDecimal input,
            @Nullable BigDecimal output,
            @Nullable BigDecimal cached,
            @Nullable BigDecimal batchInput,
            @Nullable BigDecimal batchOutput,
            @Nullable BigDecimal cacheWrite) {
        /** In the order of the columns. */
        List<@Nullable BigDecimal> all() {
            return Arrays.asList(input, output, cached, batchInput, batchOutput, cacheWrite);
        }

        /** Whether anything of it is known. */
        boolean isKnown() {
            return input != null || output != null;
        }

        /** What such a use costs, in billionths of a dollar; null when a price that it needs is not known. */
        @Nullable
        Long nanoUsd(Use use) {
            var tokens = use.tokens();
            var fresh = of(tokens.input() - tokens.cached() - tokens.cacheWritten(), use.batch() ? batchInput : input);
            var written = of(tokens.cacheWritten(), cacheWrite);
            var fromCache = of(tokens.cached(), cached);
            var out = of(tokens.output(), use.batch() ? batchOutput : output);
            return fresh == null || fromCache == null || written == null || out == null
                    ? null
                    : fresh.add(fromCache)
                            .add(written)
                            .add(out)
                            .setScale(0, RoundingMode.HALF_UP)
                            .longValueExact();
        }

        private static @Nullable BigDecimal of(long tokens, @Nullable BigDecimal usdPerMillion) {
            if (tokens == 0) {
                return BigDecimal.ZERO;
            }
            // A dollar per million tokens is a thousand billionths of a dollar per token.
            return usdPerMillion == null
                    ? null
                    : usdPerMillion.multiply(BigDecimal.valueOf(tokens)).multiply(BigDecimal.valueOf(1_000));
        }
    }

    /** No prices: whatever is used, its cost is unknown. */
    public static Prices none() {
        return NONE;
    }

    /**
     * The table in {@code file}: lines, or litellm's JSON.
     *
     * @throws IllegalArgumentException naming the line that is not one
     */
    public static Prices read(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IllegalArgumentException(file + " is larger than a table of prices can be");
            }
            return parse(file.toString(), Files.readString(file));
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** The table that {@code text} is, in either form; {@code source} names it in errors. */
    public static Prices parse(String source, String text) {
        return LitellmPrices.isSo(text)
                ? LitellmPrices.parse(source, text)
                : parse(source, text.lines().toList());
    }

    /** The table that {@code lines} make; {@code source} names it in errors. */
    public static Prices parse(String source, List<String> lines) {
        var models = new LinkedHashMap<String, Price>();
        for (var i = 0; i < lines.size(); i++) {
            var line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#") || (models.isEmpty() && isHeading(line))) {
                continue;
            }
            var at = source + ", line " + (i + 1);
            var fields = new ArrayList<>(List.of(line.split(",", -1)));
            if (fields.size() < 3 || fields.size() > FIELDS) {
                throw new IllegalArgumentException(at + ": a price is " + HEADING);
            }
            while (fields.size() < FIELDS) {
                fields.add("");
            }
            var price = new Price(
                    usd(at, fields.get(1)),
                    usd(at, fields.get(2)),
                    usd(at, fields.get(3)),
                    usd(at, fields.get(4)),
                    usd(at, fields.get(5)),
                    usd(at, fields.get(6)));
            var model = fields.getFirst().strip();
            if (!canName(model)) {
                throw new IllegalArgumentException(at + ": a price begins with the name of its model");
            }
            if (models.put(model, price) != null) {
                throw new IllegalArgumentException(at + ": " + model + " has a price already");
            }
        }
        return new Prices(models);
    }

    /** The same with what {@code others} say, which holds where both have a price for a model. */
    public Prices and(Prices others) {
        var both = new TreeMap<>(models);
        both.putAll(others.models);
        return new Prices(both);
    }

    /**
     * The table as lines, with a heading and in the order of the models' names: what {@link #parse(String, List)} reads.
     *
     * @throws IllegalArgumentException when a line cannot say it
     */
    public String text() {
        var text = new StringBuilder(HEADING).append('\n');
        new TreeMap<>(models).forEach((model, price) -> {
            if (!canName(model)) {
                throw new IllegalArgumentException("no table of prices can hold a model called \"" + model + "\"");
            }
            text.append(model);
            for (var usd : price.all()) {
                if (usd != null && !isWritable(usd)) {
                    throw new IllegalArgumentException(
                            usd.toPlainString() + " is no price of " + model + " in US dollars per million tokens");
                }
                text.append(", ").append(usd == null ? "" : usd.toPlainString());
            }
            text.append('\n');
        });
        if (text.length() > MOST_BYTES) {
            throw new IllegalArgumentException("that is larger than a table of prices can be");
        }
        return text.toString();
    }

    /** Whether a line names the columns; a model that is called "model" has a price behind it. */
    private static boolean isHeading(String line) {
        return line.startsWith("model,") && line.replace(" ", "").startsWith("model,input");
    }

    /** Whether a line can begin with this model. */
    static boolean canName(String model) {
        return !model.isBlank()
                && model.equals(model.strip())
                && !model.startsWith("#")
                && model.chars().noneMatch(one -> one == ',' || Character.isISOControl(one));
    }

    /** Whether this can be a price in US dollars per million tokens. */
    static boolean canBe(BigDecimal usd) {
        return usd.signum() >= 0 && usd.compareTo(MOST) <= 0;
    }

    private static boolean isWritable(BigDecimal usd) {
        return canBe(usd) && usd.scale() <= 12;
    }

    private static @Nullable BigDecimal usd(String at, String field) {
        if (field.isBlank()) {
            return null;
        }
        try {
            var usd = new BigDecimal(field.strip());
            if (!isWritable(usd)) {
                throw new NumberFormatException();
            }
            return usd;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    at + ": \"" + field.strip() + "\" is no price in US dollars per million tokens", e);
        }
    }

    /** {@code use} with what it costs, as far as that is known; what whoever was paid has stated is kept. */
    public Use price(Use use) {
        if (use.nanoUsd() != null) {
            return use;
        }
        var price = models.get(use.model());
        return use.costing(price == null ? null : price.nanoUsd(use));
    }
}
