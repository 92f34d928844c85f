package dev.pawl.decision;

import static dev.pawl.decision.Verdict.DONE;
import static dev.pawl.decision.Verdict.FAIL;
import static dev.pawl.decision.Verdict.RETRY;
import static dev.pawl.decision.Verdict.SKIP;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** Why a job asks, and what each answer will do. */
public enum QuestionKind {
    /** An attempt may have happened and its contract cannot settle it. */
    IN_DOUBT(Map.of(
            DONE, "it happened: the effect is recorded with --result, and the job goes on",
            RETRY, "it did not happen: it is done again, once no earlier attempt can still land (--even-now: at once)",
            SKIP, "nobody knows, and the job goes on with null as the result",
            FAIL, "nobody knows, and the workflow gets a failure")),
    /** An attempt is open and the request is another one now. */
    DRIFT(Map.of(
            DONE, "the earlier request happened: the effect is recorded with --result, and the job goes on",
            RETRY,
                    "the earlier request did not happen: the new one is sent, once the earlier can no longer land (--even-now: at once)",
            SKIP, "nobody knows, and the job goes on with null as the result",
            FAIL, "nobody knows, and the workflow gets a failure")),
    /** An effect has no record, while recorded ones were not met: renamed, or new? */
    CODE_CHANGED(Map.of(
            DONE, "it happened under another name: it is recorded with --result, and the job goes on",
            RETRY, "it is new: it is done now",
            SKIP, "it is left out, and the job goes on with null as the result",
            FAIL, "the workflow gets a failure")),
    /** An attempt is open and the code no longer comes to it. */
    NO_LONGER_CALLED(Map.of(
            DONE, "it happened: recorded, and the job goes on",
            RETRY, "it did not happen: recorded, and the job goes on; the code no longer does it",
            SKIP, "nobody knows, and the job goes on")),
    /** A record does not read as the type the code asks for. */
    UNREADABLE(Map.of(
            DONE, "use --result instead of the record",
            RETRY, "read the record again, after the code was mended; nothing is done again",
            SKIP, "the job goes on with null as the result; a signal counts as not sent",
            FAIL, "the workflow gets a failure")),
    /** It happened, and its result could not be kept. */
    RESULT_NOT_KEPT(Map.of(
            DONE, "use --result as its result, and the job goes on",
            SKIP, "the job goes on with null as the result",
            FAIL, "the workflow gets a failure")),
    /** May this effect act, with this request? */
    APPROVE(Map.of(
            Verdict.APPROVE, "yes: it is done, once, with exactly this request",
            Verdict.DENY, "no: the workflow gets a failure")),
    /** Something that goes on elsewhere, and that the job waits for, needs a person, or cannot be looked at. */
    ELSEWHERE(
            Map.of(
                    DONE, "it has ended there: --result is what came of it, and the job goes on",
                    RETRY, "it is looked at now",
                    SKIP,
                            "it is no longer waited for, and the job goes on with null as the result; there it may go on, unless the job ends it",
                    FAIL,
                            "it is no longer waited for, and the workflow gets a failure; there it may go on, unless the job ends it")),
    /** Credit, login or quota: asked by earlier states of Pawl, in which accounts had no gates; a store may still hold it. */
    ACCOUNT(Map.of(
            RETRY, "the account is mended: try again",
            FAIL, "the workflow gets a failure"));

    private final Map<Verdict, String> answers;

    QuestionKind(Map<Verdict, String> answers) {
        this.answers = new EnumMap<>(answers);
    }

    /** Whether the question is moot once its effect is no longer in doubt. */
    public boolean closedByAnswer() {
        return this == IN_DOUBT || this == DRIFT || this == NO_LONGER_CALLED;
    }

    /** What becomes of the job when nobody answers. */
    public String ifNobodyAnswers() {
        return switch (this) {
            case APPROVE -> "If nobody answers in time, it counts as a no.";
            case ELSEWHERE ->
                "If nobody answers, it is looked at again and again, and the question is closed once that finds that it goes on.";
            case IN_DOUBT, DRIFT, CODE_CHANGED, NO_LONGER_CALLED, UNREADABLE, RESULT_NOT_KEPT, ACCOUNT ->
                "If nobody answers, the job stays paused and nothing is done.";
        };
    }

    /** The answers this kind takes, with what each will do. */
    public Map<Verdict, String> answers() {
        return Collections.unmodifiableMap(answers);
    }

    /** The answers this kind takes from a job that was called off, with what each will do. */
    public Map<Verdict, String> answersOnceCalledOff() {
        if (!closedByAnswer()) {
            return answers();
        }
        var ending = new EnumMap<Verdict, String>(Verdict.class);
        answers.keySet().forEach(verdict -> ending.put(verdict, ending(verdict)));
        return ending;
    }

    private static String ending(Verdict verdict) {
        return switch (verdict) {
            case DONE -> "it happened: recorded, and the job ends";
            case RETRY ->
                "it did not happen: recorded, and the job ends once no attempt can still land (--even-now: at once); it is not done again";
            case SKIP, FAIL, APPROVE, DENY -> "nobody knows, and the job ends";
        };
    }
}
