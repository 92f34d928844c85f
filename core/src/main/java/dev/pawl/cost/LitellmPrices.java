package dev.pawl.cost;

import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Prices as litellm keeps them in {@code model_prices_and_context_window.json}: one object, whose members are models with US dollars per token. The
 * file is somebody else's and has thousands of models: what has no price per token there is left out, and a figure that cannot be a price is not
 * known, so whoever uses that model has an unknown cost.
 */
final class LitellmPrices {
    private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);
    private static final int DIGITS = 12;

    private static final String INPUT = "input_cost_per_token";
    private static final String OUTPUT = "output_cost_per_token";
    private static final String CACHED = "cache_read_input_token_cost";
    private static final String BATCH_INPUT = "input_cost_per_token_batches";
    private static final String BATCH_OUTPUT = "output_cost_per_token_batches";
    private static final String CACHE_WRITE = "cache_creation_input_token_cost";
    private static final Set<String> OURS = Set.of(INPUT, OUTPUT, CACHED, BATCH_INPUT, BATCH_OUTPUT, CACHE_WRITE);

    /** Says what each member means, and is no model. */
    private static final String SAMPLE = "sample_spec";

    private LitellmPrices() {}

    /** Whether this is such a file, and no table of lines. */
    static boolean isSo(String text) {
        return text.stripLeading().startsWith("{");
    }

    /** The table that {@code text} holds; {@code source} names it in errors. */
    static Prices parse(String source, String text) {
        var models = new TreeMap<String, Prices.Price>();
        for (var member : tree(source, text).properties()) {
            var price = price(member.getValue());
            if (!member.getKey().equals(SAMPLE) && price.isKnown() && Prices.canName(member.getKey())) {
                models.put(member.getKey(), price);
            }
        }
        if (models.isEmpty()) {
            throw new IllegalArgumentException(source + " has no model with an " + INPUT + " or " + OUTPUT);
        }
        return new Prices(models);
    }

    private static JsonNode tree(String source, String text) {
        try {
            return Json.tree(text);
        } catch (JsonMismatch e) {
            throw new IllegalArgumentException(source + " is " + e.getMessage(), e);
        }
    }

    private static Prices.Price price(JsonNode model) {
        return new Prices.Price(
                perMillion(model, INPUT),
                perMillion(model, OUTPUT),
                perMillion(model, CACHED),
                perMillion(model, BATCH_INPUT),
                perMillion(model, BATCH_OUTPUT),
                perMillion(model, CACHE_WRITE));
    }

    private static @Nullable BigDecimal perMillion(JsonNode model, String name) {
        var perToken = model.get(name);
        if (perToken == null || !perToken.isNumber()) {
            return null;
        }
        var usd = perToken.decimalValue().multiply(MILLION);
        if (!Prices.canBe(usd) || (usd.signum() == 0 && isPaidOtherwise(model))) {
            return null;
        }
        var rounded = usd.setScale(DIGITS, RoundingMode.HALF_UP).stripTrailingZeros();
        return rounded.scale() < 2 ? rounded.setScale(2) : rounded;
    }

    /** Whether a model is paid by the image, the second or the question: that its tokens cost nothing says nothing then. */
    private static boolean isPaidOtherwise(JsonNode model) {
        return model.properties().stream()
                .filter(member -> !OURS.contains(member.getKey()))
                .filter(member -> member.getKey().contains("cost"))
                .map(Map.Entry::getValue)
                .anyMatch(cost -> cost.isNumber() && cost.decimalValue().signum() > 0);
    }
}
