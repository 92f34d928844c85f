package dev.pawl.command;

import dev.pawl.effect.Verification;
import dev.pawl.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what a look-up says: happened, not happened, ask again; everything else is what broken look-ups produce, and tells nothing. */
final class LookUpAnswers {
    private LookUpAnswers() {}

    static Verification<JsonNode> of(JsonNode said) {
        if (!said.isObject()) {
            return Verification.cannotTell("the look-up did not say one JSON object");
        }
        var happened = said.get("happened");
        var again = said.get("askAgain");
        if (happened != null && happened.isBoolean() && again == null) {
            return happened.booleanValue() ? Verification.happened(said.get("result")) : Verification.didNotHappen();
        }
        var after = happened == null && again != null && again.isString() ? duration(again.asString()) : null;
        return after == null
                ? Verification.cannotTell("the look-up said neither happened nor askAgain")
                : Verification.askAgain(after);
    }

    private static @Nullable Duration duration(String text) {
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
