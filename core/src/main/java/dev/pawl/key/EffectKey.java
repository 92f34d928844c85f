package dev.pawl.key;

import java.util.List;

/** The idempotency key that a destination gets to see: made of what is done, so it is the same on every retry. */
public final class EffectKey {

    private EffectKey() {}

    /** The key of the effect at {@code place} of {@code job}; only a resubmission on purpose changes it. */
    public static String of(Identity job, Place place, int resubmission) {
        return Encoding.hash(Encoding.encode(List.of(
                "effect", job.hash(), place.scope(), place.name(), place.item(), Integer.toString(resubmission))));
    }
}
