package dev.pawl.ledger;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known of a row.
 *
 * @param listed the row with its values
 * @param tries its attempts, in order
 * @param said what people have said of it, in order
 */
public record RowHistory(ListedRow listed, List<RowTry> tries, List<RowSaid> said) {
    public RowHistory {
        tries = List.copyOf(tries);
        said = List.copyOf(said);
    }

    /**
     * An attempt.
     *
     * @param generation of the payload that was sent
     * @param number among those of that generation, from 1
     * @param part under which it was sent; empty for what a person gave
     * @param opened when
     * @param ended what became of it
     */
    public record RowTry(int generation, int number, String part, Instant opened, TryEnd ended) {}

    /**
     * What became of an attempt.
     *
     * @param known what is known
     * @param because the class of its failure; empty when it has none
     * @param why a sentence for people; empty when there is none
     * @param use what it used, as JSON; null when nobody knows
     * @param at when that was recorded; null while it is open
     */
    public record TryEnd(
            AttemptState known,
            String because,
            String why,
            @Nullable String use,
            @Nullable Instant at) {
        /** Nothing yet. */
        public static final TryEnd OPEN = new TryEnd(AttemptState.OPEN, "", "", null, null);

        /** What an answer says. */
        public static TryEnd of(AttemptState known, RowAnswer answer, Instant now) {
            return switch (answer.ending()) {
                case RowAnswer.RowEnding.RowSucceeded ignored -> new TryEnd(known, "", "", answer.use(), now);
                case RowAnswer.RowEnding.RowFailed failed ->
                    new TryEnd(known, failed.because(), failed.why(), answer.use(), now);
                case RowAnswer.RowEnding.NeverSent never -> new TryEnd(known, "", never.why(), answer.use(), now);
                case RowAnswer.RowEnding.RowAbandoned abandoned ->
                    new TryEnd(known, "", abandoned.why(), answer.use(), now);
            };
        }
    }

    /**
     * A person's word.
     *
     * @param generation which payload the row had
     * @param at when
     * @param word what they said
     * @param who they are, as the machine knows them too
     * @param why the note they left
     */
    public record RowSaid(int generation, Instant at, String word, String who, String why) {}
}
