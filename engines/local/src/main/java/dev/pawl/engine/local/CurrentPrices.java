package dev.pawl.engine.local;

import dev.pawl.cost.KeptPrices;
import dev.pawl.cost.Prices;
import dev.pawl.store.Store;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What models cost here: by the table that this worker was given, or else by the store's, as fresh as the last look. Thread-safe. */
final class CurrentPrices {
    private final @Nullable Prices givenPrices;
    private final Consumer<String> unreadable;
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile @Nullable KeptPrices kept;

    /** @param unreadable is told once why the store's table cannot be read */
    CurrentPrices(@Nullable Prices givenPrices, Consumer<String> unreadable) {
        this.givenPrices = givenPrices;
        this.unreadable = unreadable;
    }

    /** Looks whether the store has a newer table. One that this version cannot read keeps nobody from working: prices are unknown then. */
    void look(Store store) {
        if (givenPrices != null) {
            return;
        }
        try {
            var known = kept;
            store.pricesAfter(known == null ? 0 : known.number()).ifPresent(newer -> {
                kept = newer;
                told.set(false);
            });
        } catch (IllegalArgumentException notATable) {
            kept = null;
            if (!told.getAndSet(true)) {
                unreadable.accept(String.valueOf(notATable.getMessage()));
            }
        }
    }

    /** The table that a use is priced by. */
    Prices now() {
        var known = kept;
        return givenPrices != null ? givenPrices : known != null ? known.prices() : Prices.none();
    }
}
