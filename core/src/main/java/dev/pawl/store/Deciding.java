package dev.pawl.store;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.job.JobState;
import dev.pawl.look.StoredJob;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a person's decision comes to. Pure. */
public final class Deciding {

    private Deciding() {}

    /** Why {@code decide} does not fit {@code job}; null when it fits. */
    public static @Nullable Applied objection(StoredJob job, Change.Decide decide) {
        var question = job.outcome().question();
        if ((job.state() != JobState.PAUSED && job.state() != JobState.RUNNING) || question == null) {
            return new Applied.Conflict("job " + job.identity() + " is " + job.state() + " and asks nothing", job);
        }
        if (question.id() != decide.question()) {
            return new Applied.Conflict(
                    "job " + job.identity() + " asks something else now; look at it again before you decide", job);
        }
        var verdict = decide.decision().verdict();
        if (!question.kind().answers().containsKey(verdict)) {
            return new Applied.Refused("\"" + verdict.word() + "\" does not answer this question; it takes "
                    + String.join(
                            ", ",
                            question.kind().answers().keySet().stream()
                                    .map(Verdict::word)
                                    .toList()));
        }
        return null;
    }

    /** Whether the job is awake already: it runs for the sake of something else, and hears of the decision when it leaves. */
    public static boolean hearsLater(StoredJob job) {
        return job.state() == JobState.RUNNING;
    }

    /**
     * The answers that a decision gives to the open attempts of its place, by attempt number. "Done" vouches for the last one; "retry" gives
     * none yet, because an attempt may still land. A question about something else, an account say, answers no attempt.
     */
    public static SortedMap<Integer, Answer> answers(QuestionKind about, List<Integer> open, Change.Decide decide) {
        var answers = new TreeMap<Integer, Answer>();
        var decision = decide.decision();
        if (!about.closedByAnswer()) {
            return answers;
        }
        var who = decision.audit().who();
        switch (decision.verdict()) {
            case DONE -> {
                open.forEach(number -> answers.put(number, new Answer.Waived(who)));
                if (!open.isEmpty()) {
                    answers.put(open.getLast(), Answer.happened(decision.result()));
                }
            }
            case SKIP, FAIL -> open.forEach(number -> answers.put(number, new Answer.Waived(who)));
            case RETRY, APPROVE, DENY -> {}
        }
        return answers;
    }
}
