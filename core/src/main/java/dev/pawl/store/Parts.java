package dev.pawl.store;

import dev.pawl.ledger.LedgerPart;
import org.jspecify.annotations.Nullable;

/** What may be done to a part of a collection. Pure. */
public final class Parts {
    private Parts() {}

    /** Why nothing can be sent under a part; null when it can. One that is not there is made. */
    public static @Nullable Applied objection(@Nullable LedgerPart ledgerPart, Change.SendRowsIfOwned change) {
        if (ledgerPart == null) {
            return null;
        }
        return ledgerPart.seal() == null ? ofAnother(ledgerPart, change) : sealed(ledgerPart);
    }

    /** Why a part cannot be sealed; null when it can. */
    public static @Nullable Applied objection(@Nullable LedgerPart ledgerPart, Change.SealPartIfOwned change) {
        if (ledgerPart == null) {
            return new Applied.Refused(
                    "nothing was sent under part " + change.sealing().part());
        }
        return ledgerPart.seal() == null
                        || ledgerPart.seal().equals(change.sealing().seal())
                ? ofAnother(ledgerPart, change)
                : sealed(ledgerPart);
    }

    private static @Nullable Applied ofAnother(LedgerPart ledgerPart, Change.Owned change) {
        return ledgerPart.job() == change.job()
                ? null
                : new Applied.Conflict("part " + ledgerPart.name() + " is another job's: it fills it alone", null);
    }

    private static Applied sealed(LedgerPart ledgerPart) {
        return new Applied.Conflict("part " + ledgerPart.name() + " is sealed: what it has is settled", null);
    }
}
