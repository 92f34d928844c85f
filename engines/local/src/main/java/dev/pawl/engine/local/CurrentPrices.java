package dev.pawl.engine.local;

import dev.pawl.cost.Prices;
import dev.pawl.store.KeptPrices;
import dev.pawl.store.Store;
import org.jspecify.annotations.Nullable;

/** What models cost here: by the table that this worker was given, or else by the store's, as fresh as the last look. Thread-safe. */
final class CurrentPrices {
    private final @Nullable Prices given;
    private volatile @Nullable KeptPrices kept;

    CurrentPrices(@Nullable Prices given) {
        this.given = given;
    }

    /** Looks whether the store has a newer table. */
    void look(Store store) {
        if (given == null) {
            var known = kept;
            store.pricesAfter(known == null ? 0 : known.number()).ifPresent(newer -> kept = newer);
        }
    }

    /** The table that a use is priced by. */
    Prices now() {
        var known = kept;
        return given != null ? given : known != null ? known.prices() : Prices.none();
    }
}
