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

    /** Shorter parts of a key may be meant otherwise where they stand inside of words. */
    private static final int LEAST_CHARS = 4;

    /** And numbers, or single letters, also where they are words: 1 is a row and an exit code. */
    private static final Pattern NAME = Pattern.compile("\\w*\\p{L}\\w*");

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
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        for (var part : own) {
            if (part.length() >= LEAST_CHARS) {
                words = words.replace(part, OWN);
            } else if (part.length() > 1 && NAME.matcher(part).matches()) {
                // Our own words come first, and a key may be one of them.
                var said = words.indexOf(": ") + 1;
                words = words.substring(0, said) + words.substring(said).replaceAll("\\b" + part + "\\b", OWN);
            }
        }
        return CHANGING.matcher(words).replaceAll(OWN);
    }
}
