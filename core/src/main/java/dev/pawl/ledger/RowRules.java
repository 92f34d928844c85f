package dev.pawl.ledger;

import dev.pawl.ledger.LedgerRow.RowTries;
import dev.pawl.ledger.RowAnswer.RowEnding;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What comes of what is said of a row. Pure: stores load what it asks for, and write what it answers. */
public final class RowRules {
    /** The class of a row that failed as often as it may. What it failed of last stands with its attempt. */
    public static final String SPENT = "attempts-spent";

    private RowRules() {}

    /**
     * What is to be written.
     *
     * @param outcome what became of it
     * @param row as it stands then; null when it stays as it was
     * @param attempt as it stands then; null when it stays as it was
     */
    public record RowRuling(
            RowOutcome outcome,
            @Nullable LedgerRow row,
            @Nullable AttemptState attempt) {
        private static RowRuling only(RowOutcome outcome) {
            return new RowRuling(outcome, null, null);
        }
    }

    /**
     * Enrolls a row.
     *
     * @param there the row of that key; null when there is none
     * @param renewing whether another payload takes the place of the one that is there
     */
    public static RowRuling enrol(@Nullable LedgerRow there, NewRow newRow, boolean renewing, Instant now) {
        if (there == null) {
            return new RowRuling(RowOutcome.ENROLLED, LedgerRow.enrolled(newRow, now), null);
        }
        if (there.payloadHash().equals(newRow.hash())) {
            return RowRuling.only(RowOutcome.ALREADY);
        }
        if (!renewing) {
            return RowRuling.only(RowOutcome.CHANGED);
        }
        return new RowRuling(
                RowOutcome.RENEWED,
                new LedgerRow(
                        there.key(),
                        there.generation() + 1,
                        newRow.hash(),
                        new LedgerRow.RowStanding(RowMove.RENEW.to(), "", false, now),
                        RowTries.NONE),
                null);
    }

    /**
     * Opens an attempt of a row.
     *
     * @param there the row; null when there is none
     * @param generation of the payload that is to be sent
     * @param part under which
     * @param mostAttempts so many count at the most
     */
    public static RowRuling send(@Nullable LedgerRow there, int generation, String part, int mostAttempts) {
        if (there == null
                || there.generation() != generation
                || !there.state().sendable()
                || there.tries().openIn() != null
                || there.tries().spent() >= mostAttempts) {
            return RowRuling.only(RowOutcome.REFUSED);
        }
        var tries = there.tries();
        return new RowRuling(
                RowOutcome.SENT,
                there.tried(new RowTries(tries.made() + 1, tries.spent(), part, 0)),
                AttemptState.OPEN);
    }

    /**
     * Settles an attempt of a row, and the row with it where it is of the generation that the row has now.
     *
     * @param there the row; null when there is none
     * @param attempt what was known of the attempt; null when there is none
     * @param mostAttempts so many count at the most
     */
    public static RowRuling answer(
            @Nullable LedgerRow there,
            @Nullable AttemptState attempt,
            RowAnswer answer,
            int mostAttempts,
            Instant now) {
        if (there == null || attempt == null) {
            return RowRuling.only(RowOutcome.REFUSED);
        }
        var becomes = state(answer.ending());
        if (attempt == becomes || attempt == AttemptState.SUCCEEDED || !outweighs(becomes, attempt)) {
            return RowRuling.only(RowOutcome.ALREADY);
        }
        if (answer.generation() != there.generation()) {
            return new RowRuling(RowOutcome.KEPT, null, becomes);
        }
        var tries = there.tries();
        var wasOpen = attempt == AttemptState.OPEN && answer.attempt() == tries.made();
        var spent = spends(answer.ending()) && attempt == AttemptState.OPEN ? tries.spent() + 1 : tries.spent();
        var after = there.tried(new RowTries(tries.made(), spent, wasOpen ? null : tries.openIn(), tries.won()));
        return switch (answer.ending()) {
            case RowEnding.RowSucceeded ignored -> succeeded(after, answer.attempt(), becomes, now);
            case RowEnding.RowFailed failed -> failed(after, failed, mostAttempts, becomes, now);
            case RowEnding.NeverSent ignored -> settled(after, becomes);
            case RowEnding.RowAbandoned ignored -> abandoned(after, mostAttempts, becomes, now);
        };
    }

    /** What is known for certain outweighs that nobody waits, and that it succeeded outweighs everything. */
    private static boolean outweighs(AttemptState becomes, AttemptState attempt) {
        return becomes == AttemptState.SUCCEEDED
                || attempt == AttemptState.OPEN
                || (attempt == AttemptState.ABANDONED && becomes == AttemptState.FAILED);
    }

    private static AttemptState state(RowEnding ending) {
        return switch (ending) {
            case RowEnding.RowSucceeded ignored -> AttemptState.SUCCEEDED;
            case RowEnding.RowFailed ignored -> AttemptState.FAILED;
            case RowEnding.NeverSent ignored -> AttemptState.NEVER_SENT;
            case RowEnding.RowAbandoned ignored -> AttemptState.ABANDONED;
        };
    }

    private static boolean spends(RowEnding ending) {
        return switch (ending) {
            case RowEnding.RowSucceeded ignored -> true;
            case RowEnding.RowFailed failed -> failed.spends();
            case RowEnding.NeverSent ignored -> false;
            case RowEnding.RowAbandoned ignored -> true;
        };
    }

    private static RowRuling settled(LedgerRow after, AttemptState becomes) {
        return new RowRuling(RowOutcome.SETTLED, after, becomes);
    }

    private static RowRuling succeeded(LedgerRow after, int attempt, AttemptState becomes, Instant now) {
        if (!RowMove.SUCCEED.isPossible(after.state())) {
            return new RowRuling(RowOutcome.DUPLICATE, after, becomes);
        }
        var tries = after.tries();
        return settled(
                after.moved(RowMove.SUCCEED, "", false, now)
                        .tried(new RowTries(tries.made(), tries.spent(), tries.openIn(), attempt)),
                becomes);
    }

    /** It may be answered yet; but one that may not be sent again would wait for ever. */
    private static RowRuling abandoned(LedgerRow after, int mostAttempts, AttemptState becomes, Instant now) {
        return after.tries().spent() >= mostAttempts && RowMove.SPEND.isPossible(after.state())
                ? settled(after.moved(RowMove.SPEND, SPENT, false, now), becomes)
                : settled(after, becomes);
    }

    /** A row that is settled, or of which another attempt is open, is not moved by one that failed. */
    private static RowRuling failed(
            LedgerRow after, RowEnding.RowFailed failed, int mostAttempts, AttemptState becomes, Instant now) {
        var spent = after.tries().spent() >= mostAttempts;
        var move = failed.forGood() ? RowMove.FAIL_FOR_GOOD : spent ? RowMove.SPEND : RowMove.FAIL;
        if (!move.isPossible(after.state()) || after.tries().openIn() != null) {
            return new RowRuling(RowOutcome.KEPT, after, becomes);
        }
        return settled(after.moved(move, move == RowMove.SPEND ? SPENT : failed.because(), false, now), becomes);
    }

    /**
     * What a person says of a row, as they saw it.
     *
     * @param there the row; null when there is none
     * @param sendable whether its payload is kept: nothing else can be sent again
     * @param seen as they saw it
     */
    public static RowRuling say(@Nullable LedgerRow there, boolean sendable, RowRef seen, RowWord word, Instant now) {
        // What a person gave a row is an attempt of their own, so that the row is not as they saw it once it was taken.
        if (there != null
                && there.generation() == seen.generation()
                && word instanceof RowWord.Accept
                && there.state() == RowState.SUCCEEDED
                && there.standing().dealtWith()) {
            return RowRuling.only(RowOutcome.ALREADY);
        }
        if (there == null
                || !seen.isSo(there)
                || there.tries().openIn() != null
                || (word instanceof RowWord.TryAgain && !sendable)) {
            return RowRuling.only(RowOutcome.REFUSED);
        }
        if (word instanceof RowWord.TryAgain && seen.attempts() != null && there.state() == RowState.RETRYABLE) {
            // Nothing was tried since: this very word made it so, or there was no need of it.
            return RowRuling.only(RowOutcome.ALREADY);
        }
        var move = switch (word) {
            case RowWord.Accept ignored -> RowMove.ACCEPT;
            case RowWord.Drop ignored -> RowMove.DROP;
            case RowWord.TryAgain ignored -> RowMove.AGAIN;
        };
        if (!move.isPossible(there.state())) {
            return RowRuling.only(RowOutcome.REFUSED);
        }
        var tries = there.tries();
        return switch (word) {
            // A person's result is an attempt of their own.
            case RowWord.Accept ignored ->
                settled(
                        there.moved(move, "", true, now)
                                .tried(new RowTries(tries.made() + 1, tries.spent(), null, tries.made() + 1)),
                        AttemptState.SUCCEEDED);
            case RowWord.Drop ignored ->
                there.standing().dealtWith()
                        ? RowRuling.only(RowOutcome.ALREADY)
                        : new RowRuling(
                                RowOutcome.SETTLED,
                                there.moved(move, there.standing().because(), true, now),
                                null);
            case RowWord.TryAgain ignored ->
                new RowRuling(
                        RowOutcome.SETTLED,
                        there.moved(move, there.standing().because(), false, now)
                                .tried(new RowTries(tries.made(), 0, null, 0)),
                        null);
        };
    }

    /** Whether only key, generation, state and hash of a row are to be left. */
    public static boolean mayBePruned(LedgerRow row, Instant changedBefore) {
        return row.tries().openIn() == null
                && row.standing().changed().isBefore(changedBefore)
                && (row.state() == RowState.SUCCEEDED
                        || (row.state() == RowState.PERMANENT && row.standing().dealtWith()));
    }
}
