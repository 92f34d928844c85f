package dev.pawl.event;

import dev.pawl.text.EnumWords;

/** What an event may say. The words are for ever: people look for them. */
public enum EventField {
    /** Which job. */
    JOB("which job: workflow and key"),
    /** Its number. */
    JOB_NUMBER("the job's number in its store; 0 where it is about none"),
    /** Under which fence. */
    FENCE("the fence under which the job was held"),
    /** A worker's number. */
    WORKER("a worker's number"),
    /** A worker's name. */
    NAME("what a worker is called"),
    /** For how long. */
    LEASE("for how long the lease is good"),
    /** Whether it may kill workers. */
    SUSPECT("whether the job is one whose owner died before it recorded anything"),
    /** How often a worker died. */
    STRIKES("how often a worker died alone with the job"),
    /** A step or an effect. */
    STEP("which step or effect; (workflow) for the workflow's own code"),
    /** An effect. */
    EFFECT("which effect"),
    /** An attempt's number. */
    ATTEMPT("which attempt"),
    /** An effect's key. */
    KEY("the effect's key, as its destination gets it"),
    /** How much is recorded. */
    RECORDED("how much the code passed by that is recorded"),
    /** How long it took. */
    TIME("how long it took"),
    /** A failure's class. */
    CLASS("the failure's class"),
    /** A failure's code. */
    CODE("the failure's code"),
    /** Who said it. */
    PROVIDER("who the other side is, where somebody tells"),
    /** What was said. */
    STATUS("what the other side said, as HTTP has it"),
    /** Why. */
    WHY("why, in a sentence"),
    /** For how long. */
    DELAY("for how long the job is let go"),
    /** What to type. */
    NEXT("the next command"),
    /** A gate. */
    GATE("which gate"),
    /** Why it asks. */
    KIND("which kind of question, or of cause"),
    /** A workflow. */
    WORKFLOW("of which workflow"),
    /** A queue. */
    QUEUE("in which queue"),
    /** A principal. */
    PRINCIPAL("on whose behalf"),
    /** For which version of its code. */
    VERSION("for which version of its code; left out where it is for any"),
    /** What became of it. */
    HOW("what became of it: now, already, replaced, conflict, refused, …"),
    /** By how much. */
    BY("by how much"),
    /** How many. */
    JOBS("how many jobs"),
    /** How far. */
    AHEAD("how far the clock was ahead"),
    /** How much is left. */
    LEAVES("how many things go on elsewhere that the job began; left out where there are none"),
    /** Whose move it is. */
    WHOSE_MOVE("whose move it is");

    private final String meaning;

    EventField(String meaning) {
        this.meaning = meaning;
    }

    /** As it stands in a line. */
    public String word() {
        return EnumWords.word(this);
    }

    /** What it says. */
    public String meaning() {
        return meaning;
    }
}
