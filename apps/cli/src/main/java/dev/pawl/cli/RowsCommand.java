package dev.pawl.cli;

import dev.pawl.Ledger;
import dev.pawl.Pawl;
import dev.pawl.desk.Fields;
import dev.pawl.desk.RowText;
import dev.pawl.key.Key;
import dev.pawl.ledger.LedgerQuery;
import dev.pawl.ledger.RowState;
import dev.pawl.list.Cursor;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pawl rows [COLLECTION [KEY]]}: what is in the ledger. */
@Command(
        name = "rows",
        description =
                "Look into the ledger, whose rows are no jobs: the collections with counts, the rows of one, or all that is known of a row."
                        + " Example: pawl rows reviews --state permanent --class blocked -n 20",
        mixinStandardHelpOptions = true)
final class RowsCommand implements Callable<Integer> {
    private static final int USUAL = 20;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Parameters(index = "0", arity = "0..1", paramLabel = "COLLECTION", description = "Its rows.")
    private @Nullable String collection;

    @Parameters(index = "1", arity = "0..1", paramLabel = "KEY", description = "All that is known of this row.")
    private @Nullable String key;

    @Option(
            names = "--state",
            split = ",",
            paramLabel = "STATE",
            description = "pending, succeeded, retryable, permanent.")
    private List<String> states = List.of();

    @Option(names = "--class", paramLabel = "CLASS", description = "Those that failed because of this.")
    private @Nullable String because;

    @Option(names = "--key", paramLabel = "BEGINNING", description = "Those whose keys begin like this.")
    private @Nullable String keyPrefix;

    @Option(names = "-n", paramLabel = "MANY", description = "So many at the most; 20 unless said.")
    private @Nullable Integer most;

    @Option(names = "--after", paramLabel = "CURSOR", description = "Go on behind a page, as its last line says.")
    private @Nullable String after;

    @Option(names = "--values", description = "With payloads and results.")
    private boolean values;

    @Override
    public Integer call() {
        try (var pawl = store.look()) {
            if (collection == null) {
                collections(pawl);
            } else if (key == null) {
                rows(pawl.ledger(collection));
            } else {
                row(pawl.ledger(collection), key);
            }
            return ExitCodes.WELL;
        }
    }

    private void collections(Pawl pawl) {
        var all = pawl.operator().collections();
        if (all.isEmpty() && !json.wanted()) {
            System.out.println("there are no rows");
        }
        for (var one : all) {
            var counts = pawl.ledger(one.name()).counts();
            json.say(one.name() + ": " + RowText.counts(counts), Fields.of("collection", one.name(), "counts", counts));
        }
    }

    private void rows(Ledger ledger) {
        requireThere(ledger);
        var wanted = LedgerQuery.of(ledger.name())
                .in(wantedStates())
                .keyPrefix(Objects.requireNonNullElse(keyPrefix, ""))
                .most(Objects.requireNonNullElse(most, USUAL))
                .after(new Cursor(Objects.requireNonNullElse(after, "")));
        var byClass = because == null ? wanted : wanted.because(because);
        var page = ledger.rows(values ? byClass.withValues() : byClass);
        page.rows().forEach(row -> json.say(RowText.of(row), Fields.of("row", row)));
        var next = page.next();
        if (next != null) {
            json.say("there are more: --after " + next, Fields.of("next", next.toString()));
        }
    }

    private EnumSet<RowState> wantedStates() {
        var wanted = EnumSet.noneOf(RowState.class);
        for (var state : states) {
            try {
                wanted.add(RowState.valueOf(state.toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "--state: \"" + state + "\" is none of pending, succeeded, retryable, permanent", e);
            }
        }
        return wanted.isEmpty() ? EnumSet.allOf(RowState.class) : wanted;
    }

    private void row(Ledger ledger, String name) {
        var history = ledger.row(Key.parse(name))
                .orElseThrow(() ->
                        new IllegalArgumentException("there is no row " + name + " in collection " + ledger.name()));
        json.say(RowText.of(history), Fields.of("row", history));
    }

    private static void requireThere(Ledger ledger) {
        if (ledger.counts().isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no collection " + ledger.name() + "; \"pawl rows\" lists those that there are");
        }
    }
}
