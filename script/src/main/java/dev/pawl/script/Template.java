package dev.pawl.script;

import dev.pawl.failure.PermanentFailure;
import dev.pawl.yaml.Problem;
import dev.pawl.yaml.ValuePath;
import dev.pawl.yaml.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A text with holes: {@code --branch=${results.push.branch}}. What fills a hole is never read again, by no shell and as no template.
 *
 * @param parts texts and holes, in their order
 */
record Template(List<Piece> parts) {
    private static final Pattern HOLE = Pattern.compile("\\$\\{([^}]*)}");

    /** A text, or a hole. */
    sealed interface Piece {
        /** As it stands. */
        record Text(String text) implements Piece {}

        /** To be filled. */
        record Hole(ValuePath path) implements Piece {}
    }

    /** The template that {@code text} is; what is wrong with its holes is told. */
    static Template of(Yaml.Scalar text, List<Problem> problems) {
        var parts = new ArrayList<Piece>();
        var matcher = HOLE.matcher(text.text());
        var end = 0;
        while (matcher.find()) {
            parts.add(new Piece.Text(text.text().substring(end, matcher.start())));
            var path = FlowPath.of(matcher.group(1), text.at(), problems);
            if (path != null) {
                parts.add(new Piece.Hole(path));
            }
            end = matcher.end();
        }
        parts.add(new Piece.Text(text.text().substring(end)));
        return new Template(parts);
    }

    /** A template-like hole in a text that is no template; null when there is none. A shell's own {@code ${HOME}} is none. */
    static @Nullable String holeIn(String shell) {
        var matcher = HOLE.matcher(shell);
        while (matcher.find()) {
            var head = matcher.group(1).strip().split("\\.", 2)[0];
            if (FlowPath.ROOTS.contains(head)) {
                return matcher.group();
            }
        }
        return null;
    }

    String filled(KnownValues known) {
        var text = new StringBuilder();
        for (var part : parts) {
            switch (part) {
                case Piece.Text plain -> text.append(plain.text());
                case Piece.Hole hole -> text.append(text(hole.path(), known));
            }
        }
        return text.toString();
    }

    private static String text(ValuePath path, KnownValues known) {
        var value = known.value(path);
        if (value == null || value.isNull()) {
            throw new PermanentFailure(known.missing(path));
        }
        return value.isString() ? value.asString() : json(value);
    }

    private static String json(JsonNode value) {
        return value.toString();
    }
}
