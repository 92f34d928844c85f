package dev.pawl.command;

import dev.pawl.cost.Use;
import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a command says that it used, one JSON object a line. Whatever is wrong with a line, it is a use of which nobody knows the cost or the tokens, and never
 * nothing: a budget that does not see what was spent is worse than one that stops too early.
 */
final class UsageFile {
    /** What a use is called that does not say of which model; no table has a price for it. */
    static final String UNSAID = "unknown";

    private static final List<String> FIELDS =
            List.of("model", "input", "output", "cached", "cacheWritten", "tools", "nanoUsd");
    private static final int MOST_USES = 1_000;
    private static final int MOST_BYTES = 4 << 20;

    private UsageFile() {}

    /** What the lines in {@code file} tell; nothing when there is no such file. */
    static List<Use> in(Path file, Secrets secrets) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        if (!Files.isRegularFile(file)) {
            return List.of(Use.unreadable());
        }
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        }
        var uses = new ArrayList<Use>();
        var lines = new String(bytes, 0, Math.min(bytes.length, MOST_BYTES), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .limit(MOST_USES + 1)
                .toList();
        for (var line : lines.subList(0, Math.min(lines.size(), MOST_USES))) {
            uses.addAll(of(line, secrets));
        }
        if (bytes.length > MOST_BYTES || lines.size() > MOST_USES) {
            uses.add(Use.unreadable());
        }
        return uses;
    }

    /** The use that a line tells of. What it states is kept; what it does not state rightly is unknown. */
    private static List<Use> of(String line, Secrets secrets) {
        try {
            var said = Json.tree(line);
            if (!said.isObject() || FIELDS.stream().noneMatch(said::has)) {
                return List.of(Use.unreadable());
            }
            var cost = whole(said.get("nanoUsd"));
            var tokens = tokens(said);
            var tools = whole(said.get("tools"));
            if (tokens == null && cost == null) {
                return List.of(Use.unreadable());
            }
            var model = said.get("model");
            var named = model != null && model.isString() && !model.asString().isBlank();
            var right = isRight(said, "nanoUsd", cost) && isRight(said, "tools", tools);
            // A price by the table is for a line that is right; what was stated needs none.
            var use = Use.of(named && (right || cost != null) ? secrets.masked(model.asString()) : UNSAID)
                    .tools(tools == null || tools > Integer.MAX_VALUE ? 0 : tools.intValue())
                    .costing(cost);
            return tokens == null
                    ? List.of(use, Use.unreadable().costing(0L))
                    : List.of(use.input(tokens.input())
                            .output(tokens.output())
                            .cached(tokens.cached())
                            .cacheWritten(tokens.cacheWritten()));
        } catch (JsonMismatch | IllegalArgumentException e) {
            return List.of(Use.unreadable());
        }
    }

    private static Use.@Nullable Tokens tokens(JsonNode said) {
        var input = whole(said.get("input"));
        var output = whole(said.get("output"));
        var cached = whole(said.get("cached"));
        var written = whole(said.get("cacheWritten"));
        if (!isRight(said, "input", input)
                || !isRight(said, "output", output)
                || !isRight(said, "cached", cached)
                || !isRight(said, "cacheWritten", written)) {
            return null;
        }
        try {
            return new Use.Tokens(orZero(input), orZero(output), orZero(cached), orZero(written));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Whether a field is not there, or is what it should be. */
    private static boolean isRight(JsonNode said, String field, @Nullable Long read) {
        var there = said.get(field);
        return read != null || there == null || there.isNull();
    }

    /** A whole number that is not negative, however it is written; null when it is none. */
    private static @Nullable Long whole(@Nullable JsonNode number) {
        if (number == null || !number.isNumber()) {
            return null;
        }
        try {
            var whole = number.decimalValue();
            return whole.signum() < 0 || whole.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
                    ? null
                    : whole.longValueExact();
        } catch (ArithmeticException e) {
            return null;
        }
    }

    private static long orZero(@Nullable Long many) {
        return many == null ? 0 : many;
    }
}
