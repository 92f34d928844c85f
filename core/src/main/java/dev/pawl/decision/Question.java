package dev.pawl.decision;

import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.text.LocalTimeText;
import dev.pawl.text.Visible;
import dev.pawl.text.WithoutPasswords;
import java.util.Map;

/**
 * What a paused job asks.
 *
 * @param id unique in its job; a decision names it
 * @param kind why it asks
 * @param place what it is about
 * @param because what happened, in a sentence
 */
public record Question(long id, QuestionKind kind, Place place, String because) {

    /**
     * The whole question: what happened, what each answer will do, the commands, and what happens if nobody answers.
     *
     * @param store how the commands name the store, with a space before it; may be empty
     */
    public String text(Identity job, String store) {
        return text(job, kind.answers(), store);
    }

    /** {@link #text} of a job that was called off, and ends once it is answered. */
    public String textOnceCalledOff(Identity job, String store) {
        return text(job, kind.answersOnceCalledOff(), store);
    }

    /** What somebody said, without passwords, and so that no line of it is taken for one of ours. */
    private static String said(String because) {
        return LocalTimeText.within(Visible.lines(WithoutPasswords.of(because))).replace("\n", "\n  | ");
    }

    private String text(Identity job, Map<Verdict, String> answers, String store) {
        var text = new StringBuilder();
        text.append("job ")
                .append(job)
                .append(" asks about ")
                .append(Visible.of(place.toString()))
                .append(": ")
                .append(said(because))
                .append('\n');
        answers.forEach((verdict, effect) -> text.append("  pawl decide ")
                .append(job)
                .append(' ')
                .append(verdict.word())
                .append(verdict == Verdict.DONE ? " --result JSON" : "")
                .append(" --note WHY")
                .append(store)
                .append("    ")
                .append(effect)
                .append('\n'));
        return text.append(kind.ifNobodyAnswers()).toString();
    }
}
