package dev.pawl.batch;

import dev.pawl.key.Key;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Which fields make a row itself: {@code id}, or {@code customer.number}.
 *
 * @param paths one or more
 */
public record KeyFields(List<String> paths) {
    private static final int MOST_DIGITS = 1_000;

    public KeyFields {
        paths = List.copyOf(paths);
        if (paths.isEmpty() || paths.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("say which fields make a row itself: --key FIELD[,FIELD…]");
        }
    }

    /** The fields that {@code a,b} names. */
    public static KeyFields of(String commaSeparated) {
        return new KeyFields(List.of(commaSeparated.split(",", -1)));
    }

    /** The values of the fields in {@code row}, as text. */
    List<String> values(JsonNode row) {
        var values = new ArrayList<String>(paths.size());
        for (var path : paths) {
            values.add(value(row, path));
        }
        return values;
    }

    /** The key that these values make. */
    static Key key(List<String> values) {
        return new Key(values);
    }

    private static String value(JsonNode row, String path) {
        var node = row.get(path);
        if (node == null) {
            node = row;
            for (var name : path.split("\\.")) {
                node = node == null ? null : node.get(name);
            }
        }
        if (node == null || node.isNull()) {
            throw new IllegalArgumentException("there is no field \"" + path + "\"");
        }
        if (node.isNumber() && Math.abs((long) node.decimalValue().scale()) > MOST_DIGITS) {
            throw new IllegalArgumentException("field \"" + path + "\" is a number of very many digits");
        }
        if (node.isNumber()) {
            return Key.of(node.decimalValue()).parts().getFirst();
        }
        if (!node.isString() && !node.isBoolean()) {
            throw new IllegalArgumentException("field \"" + path + "\" is no text and no number");
        }
        var text = node.asString();
        if (text.isBlank()) {
            throw new IllegalArgumentException("field \"" + path + "\" is empty");
        }
        return text;
    }
}
