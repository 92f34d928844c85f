package dev.pawl.event;

import static dev.pawl.event.Event.Level.LOUD;
import static dev.pawl.event.Event.Level.NOTICE;
import static dev.pawl.event.Event.Level.QUIET;
import static dev.pawl.event.EventField.AHEAD;
import static dev.pawl.event.EventField.ATTEMPT;
import static dev.pawl.event.EventField.BY;
import static dev.pawl.event.EventField.CLASS;
import static dev.pawl.event.EventField.CODE;
import static dev.pawl.event.EventField.DELAY;
import static dev.pawl.event.EventField.EFFECT;
import static dev.pawl.event.EventField.FENCE;
import static dev.pawl.event.EventField.GATE;
import static dev.pawl.event.EventField.HOW;
import static dev.pawl.event.EventField.JOB;
import static dev.pawl.event.EventField.JOBS;
import static dev.pawl.event.EventField.JOB_NUMBER;
import static dev.pawl.event.EventField.KEY;
import static dev.pawl.event.EventField.KIND;
import static dev.pawl.event.EventField.LEASE;
import static dev.pawl.event.EventField.LEAVES;
import static dev.pawl.event.EventField.NAME;
import static dev.pawl.event.EventField.NEXT;
import static dev.pawl.event.EventField.PRINCIPAL;
import static dev.pawl.event.EventField.PROVIDER;
import static dev.pawl.event.EventField.QUEUE;
import static dev.pawl.event.EventField.RECORDED;
import static dev.pawl.event.EventField.STATUS;
import static dev.pawl.event.EventField.STEP;
import static dev.pawl.event.EventField.STRIKES;
import static dev.pawl.event.EventField.SUSPECT;
import static dev.pawl.event.EventField.TIME;
import static dev.pawl.event.EventField.VERSION;
import static dev.pawl.event.EventField.WHOSE_MOVE;
import static dev.pawl.event.EventField.WHY;
import static dev.pawl.event.EventField.WORKER;
import static dev.pawl.event.EventField.WORKFLOW;

import dev.pawl.text.EnumWords;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The catalogue of events: every kind there is, with what it may say. {@code docs/events.md} is drawn from it. The words are for ever: people look for them. */
public enum EventKind {
    // ---- the life of a job
    /** A job was submitted. */
    SUBMITTED(QUIET, "a job was submitted", JOB, HOW),
    /** A worker has taken a job. */
    CLAIMED(QUIET, "a worker has taken a job", JOB, FENCE, WORKER, LEASE, SUSPECT),
    /** A job goes on where it was. */
    RESUMES(QUIET, "a job that was begun before comes to something that is not recorded", JOB, FENCE, STEP, RECORDED),
    /** An attempt begins. */
    ATTEMPT_BEGINS(QUIET, "an attempt of a step or an effect begins", JOB, FENCE, STEP, ATTEMPT, KEY),
    /** An attempt has ended well. */
    ATTEMPT_DONE(QUIET, "an attempt has ended well", JOB, FENCE, STEP, ATTEMPT, TIME),
    /** An attempt has failed, and another follows. */
    ATTEMPT_FAILED(
            NOTICE,
            "an attempt has failed, and another one follows",
            JOB,
            FENCE,
            STEP,
            ATTEMPT,
            TIME,
            CLASS,
            CODE,
            PROVIDER,
            STATUS,
            WHY,
            DELAY),
    /** Nobody knows whether it happened. */
    ATTEMPT_IN_DOUBT(
            NOTICE,
            "an attempt of an effect has ended, and nobody knows whether it happened",
            JOB,
            FENCE,
            STEP,
            ATTEMPT,
            TIME,
            CODE,
            PROVIDER,
            STATUS,
            WHY),
    /** Code does not end. */
    OVERDUE(
            LOUD,
            "a step or an effect goes on past its time although it was interrupted; its slot is lent to other jobs until it ends",
            JOB,
            FENCE,
            STEP,
            ATTEMPT,
            TIME,
            WHY),
    /** Something will not be tried again. */
    GAVE_UP(
            NOTICE,
            "a step or an effect will not be tried again",
            JOB,
            FENCE,
            STEP,
            ATTEMPT,
            TIME,
            CLASS,
            CODE,
            PROVIDER,
            STATUS,
            WHY),
    /** The code asks for something else now. */
    DRIFTED(
            NOTICE,
            "the code makes another request now than the one that is recorded; the recorded result was returned",
            JOB,
            FENCE,
            STEP,
            WHY),
    /** A job has said how far it has come. */
    PROGRESS(QUIET, "a job has said how far it has come", JOB, FENCE, WHY),
    /** News arrived while it ran. */
    COMES_BACK(QUIET, "a job left to wait, and what it waits for has arrived", JOB, FENCE, WHY),
    /** It is done. */
    DONE(QUIET, "a job is done", JOB, FENCE, TIME),
    /** It was let go until it is tried again. */
    TRY_LATER(QUIET, "a job was let go, to be tried again", JOB, FENCE, WHY, DELAY),
    /** It was let go because its worker stops. */
    HAND_BACK(NOTICE, "a job was let go because its worker stops", JOB, FENCE, WHY, DELAY),
    /** It waits. */
    WAIT(QUIET, "a job was let go while it waits", JOB, FENCE, WHY, DELAY),
    /** It waits with others. */
    WAITS_AT_GATE(QUIET, "a job waits at a gate, with all others that come there", JOB, FENCE, GATE),
    /** It was called off. */
    CALLED_OFF(NOTICE, "a job that was called off has ended", JOB, FENCE, TIME),
    /** It is somebody else's. */
    LEASE_LOST(LOUD, "a job is somebody else's now", JOB, FENCE, WHY),
    /** It has failed. */
    FAILED(
            LOUD,
            "a job has failed, and is kept until somebody deals with it",
            JOB,
            FENCE,
            STEP,
            TIME,
            CLASS,
            PROVIDER,
            STATUS,
            WHY,
            LEAVES,
            NEXT),
    /** It asks. */
    ASKS(LOUD, "a job asks a person", JOB, FENCE, EFFECT, KIND, WHY, NEXT),
    /** Something happened twice. */
    DUPLICATED(LOUD, "an effect happened twice, or may have", JOB, FENCE, EFFECT, ATTEMPT, WHY, NEXT),
    /** A defect. */
    BROKEN(LOUD, "a defect in Pawl; the job is left for others", JOB, FENCE, WHY),

    // ---- gates, and who takes what
    /** A gate has closed. */
    GATE_CLOSED(LOUD, "a gate has closed; told softly where it opens by itself", JOB, FENCE, GATE, KIND, WHY, NEXT),
    /** Nobody may take it. */
    NOBODY_TAKES(LOUD, "jobs are due, and no worker may take them", WORKFLOW, QUEUE, PRINCIPAL, VERSION, WHY),

    // ---- workers
    /** A worker begins. */
    ENLISTED(QUIET, "a worker begins", WORKER, NAME),
    /** This worker has lost its number. */
    WORKER_LOST(LOUD, "this worker has lost its number, and begins anew", WORKER, WHY),
    /** Another worker was declared dead. */
    TOOK_OVER(NOTICE, "another worker was declared dead", WORKER, NAME, WHY),
    /** A dead worker's job. */
    RESCUED(NOTICE, "a dead worker's job was given back", JOB, FENCE, SUSPECT, STRIKES),
    /** This process can work no more. */
    WORKER_GAVE_UP(LOUD, "this process can no longer keep its lease, or its store is gone", WHY),

    // ---- the store
    /** The store does not answer. */
    STORE_FAILED(LOUD, "the store does not do what it is asked", WHOSE_MOVE, WHY),
    /** The store answers again. */
    STORE_ANSWERS(NOTICE, "the store answers again", WHY),
    /** The store's clock was set. */
    CLOCK_WAS_SET(LOUD, "the store's clock was set", BY, WHY),
    /** Times were mended. */
    TIMES_MENDED(
            LOUD,
            "jobs were stored while the store's clock was ahead, and wait no longer than they were to",
            JOBS,
            AHEAD,
            WHY),
    /** Prices cannot be read. */
    PRICES_UNREADABLE(LOUD, "the store's prices are of a version that this one does not read", WHY),

    // ---- what this process was asked for
    /** A decision. */
    DECIDE(NOTICE, "somebody answered a question", JOB_NUMBER, HOW),
    /** A message. */
    DELIVER(NOTICE, "somebody sent a message to a job, or hurried it", JOB_NUMBER, HOW),
    /** A retry. */
    RETRY_JOB(NOTICE, "somebody had a failed job tried again", JOB_NUMBER, HOW),
    /** A resubmission. */
    RESUBMIT_JOB(NOTICE, "somebody had a finished job done again", JOB_NUMBER, HOW),
    /** Giving up. */
    DISCARD_JOB(NOTICE, "somebody gave a failed job up, or dealt with what happened twice", JOB_NUMBER, HOW),
    /** Calling off. */
    CANCEL_JOB(NOTICE, "somebody called a job off", JOB_NUMBER, HOW),
    /** Opening a gate. */
    OPEN_GATE(NOTICE, "somebody opened a gate", JOB_NUMBER, HOW),
    /** Limiting a queue. */
    LIMIT_QUEUE(NOTICE, "somebody limited a queue", JOB_NUMBER, HOW),
    /** Keeping prices. */
    KEEP_PRICES(NOTICE, "somebody imported prices", JOB_NUMBER, HOW),
    /** Pruning. */
    PRUNE_JOBS(NOTICE, "old jobs were pruned", JOB_NUMBER, HOW),
    /** Rows. */
    ENROL_ROWS(NOTICE, "rows were enrolled", JOB_NUMBER, HOW),
    /** Answers to rows. */
    RECONCILE_ROWS(NOTICE, "what became of rows was told", JOB_NUMBER, HOW),
    /** Words about rows. */
    SAY_OF_ROWS(NOTICE, "somebody said something about rows", JOB_NUMBER, HOW),
    /** A part. */
    NOTE_PART(NOTICE, "what became of a part was told", JOB_NUMBER, HOW),
    /** Pruning rows. */
    PRUNE_ROWS(NOTICE, "old rows were pruned", JOB_NUMBER, HOW);

    private final Event.Level level;
    private final String meaning;
    private final Set<EventField> fields;

    EventKind(Event.Level level, String meaning, EventField... fields) {
        this.level = level;
        this.meaning = meaning;
        this.fields = EnumSet.copyOf(List.of(fields));
    }

    /** As it stands in a line. */
    public String word() {
        return EnumWords.word(this);
    }

    /** How loud it is, unless it says otherwise. */
    public Event.Level level() {
        return level;
    }

    /** What has happened. */
    public String meaning() {
        return meaning;
    }

    /** What it may say. */
    public Set<EventField> fields() {
        return EnumSet.copyOf(fields);
    }

    boolean says(EventField field) {
        return fields.contains(field);
    }
}
