package dev.pawl.decision;

import dev.pawl.key.Identity;
import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * What makes the questions of several jobs one question: who asks, about what, why, and in which words but for those that are each job's own.
 *
 * @param workflow who asks
 * @param kind why it asks
 * @param place about what, whichever item it is
 * @param calledOff whether the job was called off: then the same answer does something else
 * @param words what happened, without times, long numbers and the job's key
 */
public record QuestionShape(String workflow, QuestionKind kind, String place, boolean calledOff, String words) {
    private static final String OWN = "…";

    /** Shorter words of a key may be meant otherwise where they stand: 1 is a row and an exit code. */
    private static final int LEAST_CHARS = 4;

    private static final Pattern ITEM = Pattern.compile("@[^/]*");
    private static final Pattern CHANGING = Pattern.compile("\\b\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z|\\bPT[\\dHMS.]+"
            + "|\\b\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}\\b|\\b(?=\\w*\\d)\\p{XDigit}{12,}\\b|\\d{4,}");

    /** Of a job that asks. */
    public static QuestionShape of(Identity job, Question question, boolean calledOff) {
        return new QuestionShape(
                job.workflow(),
                question.kind(),
                ITEM.matcher(question.place().toString()).replaceAll("@" + OWN),
                calledOff,
                words(job, question.because()));
    }

    private static String words(Identity job, String because) {
        var words = because;
        var own = job.key().parts().stream()
                .filter(part -> part.length() >= LEAST_CHARS)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        for (var part : own) {
            words = words.replace(part, OWN);
        }
        return CHANGING.matcher(words).replaceAll(OWN);
    }
}
