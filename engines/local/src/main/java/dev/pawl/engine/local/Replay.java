package dev.pawl.engine.local;

import dev.pawl.decision.QuestionKind;
import dev.pawl.failure.StepFailed;
import dev.pawl.journal.PlaceHistory.Known;
import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import dev.pawl.json.TypeToken;
import dev.pawl.json.Values;
import dev.pawl.key.Place;
import org.jspecify.annotations.Nullable;

/** Returns what is recorded instead of doing it again. */
final class Replay {

    private static final int MOST_WHY = 2_000;

    private Replay() {}

    /** What the workflow got when this place ended, or gets now: a result, nothing, a failure, or a question. */
    @SuppressWarnings("NullAway") // a skipped place has no result, and a result may be null
    static <T> T of(Scope scope, Place place, Known known, TypeToken<T> type) {
        scope.replayed();
        return switch (known) {
            case Known.Failed failed -> throw new StepFailed(place, failed.failure(), null);
            case Known.Skipped ignored -> null;
            case Known.TimeUp ignored -> null;
            case Known.Result result -> {
                if (!result.kept()) {
                    throw scope.ask(
                            QuestionKind.RESULT_NOT_KEPT,
                            place,
                            "it happened, and its result could not be kept" + why(result.json()));
                }
                yield read(scope, place, result.json(), type);
            }
        };
    }

    /** Why a result was not kept; earlier states of Pawl did not say. */
    private static String why(@Nullable String json) {
        try {
            return json == null || json.length() > MOST_WHY ? "" : ": " + Json.read(json, String.class);
        } catch (JsonMismatch e) {
            return "";
        }
    }

    private static <T> @Nullable T read(Scope scope, Place place, @Nullable String json, TypeToken<T> type) {
        if (json == null) {
            return null;
        }
        try {
            return Values.read(json, type);
        } catch (JsonMismatch e) {
            throw scope.ask(
                    QuestionKind.UNREADABLE,
                    place,
                    "its record does not read as the " + type + " that the code asks for now: " + e.getMessage());
        }
    }
}
