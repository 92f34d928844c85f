package dev.pawl.store;

import dev.pawl.ledger.LedgerPart;
import org.jspecify.annotations.Nullable;

/** What may be done to a part of a collection. Pure. */
public final class Parts {
    private Parts() {}

    /** Why nothing can be sent under a part; null when it can. One that is not there is made. */
    public static @Nullable Applied objection(@Nullable LedgerPart part, Change.SendRowsIfOwned change) {
        if (part == null) {
            return null;
        }
        return part.seal() == null ? ofAnother(part, change) : sealed(part);
    }

    /** Why a part cannot be sealed; null when it can. */
    public static @Nullable Applied objection(@Nullable LedgerPart part, Change.SealPartIfOwned change) {
        if (part == null) {
            return new Applied.Refused(
                    "nothing was sent under part " + change.sealing().part());
        }
        return part.seal() == null || part.seal().equals(change.sealing().seal())
                ? ofAnother(part, change)
                : sealed(part);
    }

    private static @Nullable Applied ofAnother(LedgerPart part, Change.Owned change) {
        return part.job() == change.job()
                ? null
                : new Applied.Conflict("part " + part.name() + " is another job's: it fills it alone", null);
    }

    private static Applied sealed(LedgerPart part) {
        return new Applied.Conflict("part " + part.name() + " is sealed: what it has is settled", null);
    }
}
