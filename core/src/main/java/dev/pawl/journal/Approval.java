package dev.pawl.journal;

import dev.pawl.effect.Fingerprint;
import java.time.Instant;

/**
 * A person's yes to one effect with one request, as the journal knows it.
 *
 * @param fingerprint of the request
 * @param until when it expires
 * @param given whether the person said yes
 * @param used the attempt that used it up because it may have reached the world; 0 while none has
 */
public record Approval(String fingerprint, Instant until, boolean given, int used) {
    /** Why an attempt is refused that stands on a yes which is no longer good. */
    public static final String EXPIRED = "its approval has expired";

    /** Whether an attempt with this request may act now. */
    public boolean covers(Fingerprint request, Instant now) {
        return given && used == 0 && request.is(fingerprint) && now.isBefore(until);
    }

    /** Whether it was asked for this request, and the answer may still come. */
    public boolean awaited(Fingerprint request, Instant now) {
        return !given && request.is(fingerprint) && now.isBefore(until);
    }

    Approval approved() {
        return new Approval(fingerprint, until, true, used);
    }

    Approval usedBy(int attempt) {
        return given && used == 0 ? new Approval(fingerprint, until, true, attempt) : this;
    }

    /** That attempt certainly reached nothing: the approval is as good as before. */
    Approval notUsedBy(int attempt) {
        return used == attempt ? new Approval(fingerprint, until, given, 0) : this;
    }
}
