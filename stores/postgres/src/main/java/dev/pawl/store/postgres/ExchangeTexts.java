package dev.pawl.store.postgres;

import dev.pawl.store.jdbc.SqlCodes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The texts of exchanges, each put together once. Thread-safe. */
final class ExchangeTexts {
    private final Settings settings;
    private final Map<List<String>, String> known = new ConcurrentHashMap<>();

    ExchangeTexts(Settings settings) {
        this.settings = settings;
    }

    /** Statements as one text, with the names of our tables in it and what time it is. */
    String of(List<String> statements) {
        if (settings.clock().millis() != null) {
            return together(statements);
        }
        var text = known.get(statements);
        if (text == null) {
            text = together(statements);
            known.put(List.copyOf(statements), text);
        }
        return text;
    }

    private String together(List<String> statements) {
        return SqlCodes.in(String.join(";\n", statements))
                .replace("pawl.", settings.prefix())
                .replace(Bulk.NOW, settings.now());
    }
}
