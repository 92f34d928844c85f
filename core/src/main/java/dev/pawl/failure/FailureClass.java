package dev.pawl.failure;

import dev.pawl.text.EnumWords;
import java.util.List;

/** Whose fault a failure is, and so what may be done about it. Whatever treats failures differently asks one of the three questions that each class answers. */
public enum FailureClass {
    /** May pass by itself: try again, within the budget. */
    TRANSIENT(Spends.AN_ATTEMPT, Aftermath.NOTHING, NextMove.TRY_AGAIN),
    /** Will not pass by itself: trying again is waste. */
    PERMANENT(Spends.AN_ATTEMPT, Aftermath.NOTHING, NextMove.GIVE_UP),
    /** May have happened: nobody may act again before that is settled. */
    AMBIGUOUS(Spends.AN_ATTEMPT, Aftermath.PERHAPS_SOMETHING, NextMove.TRY_AGAIN),
    /** Credit, login or quota: no job is at fault, no attempt is spent. */
    ACCOUNT(Spends.NOTHING, Aftermath.NOTHING, NextMove.WAIT_WITH_ALL);

    private enum Spends {
        AN_ATTEMPT,
        NOTHING
    }

    private enum Aftermath {
        NOTHING,
        PERHAPS_SOMETHING
    }

    /** What comes after a failure, where nothing is in doubt. */
    public enum NextMove {
        /** Another attempt, as long as there are any. */
        TRY_AGAIN,
        /** None: the workflow is told. */
        GIVE_UP,
        /** Everybody waits at a gate, until a person opens it or its time has come. */
        WAIT_WITH_ALL
    }

    /** Their words. */
    public static final EnumWords<FailureClass> WORDS = EnumWords.of("class of failures", List.of(values()));

    private final Spends spends;
    private final Aftermath aftermath;
    private final NextMove nextMove;

    FailureClass(Spends spends, Aftermath aftermath, NextMove nextMove) {
        this.spends = spends;
        this.aftermath = aftermath;
        this.nextMove = nextMove;
    }

    /** The class that {@code word} says, however it is written. */
    public static FailureClass parse(String word) {
        return WORDS.parseTyped(word);
    }

    /** As people read it. */
    public String word() {
        return EnumWords.word(this);
    }

    /** Whether an attempt that fails so counts. */
    public boolean spendsAnAttempt() {
        return spends == Spends.AN_ATTEMPT;
    }

    /** Whether something may have happened although it failed. */
    public boolean mayHaveHappened() {
        return aftermath == Aftermath.PERHAPS_SOMETHING;
    }

    /** What comes next. */
    public NextMove nextMove() {
        return nextMove;
    }
}
