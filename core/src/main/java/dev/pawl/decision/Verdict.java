package dev.pawl.decision;

import dev.pawl.text.EnumWords;
import java.util.List;

/** What a person can say to a question. */
public enum Verdict {
    /** It happened; the result may be given with it. */
    DONE,
    /** It did not happen, or is mended: try again. */
    RETRY,
    /** Leave it and go on without a result. */
    SKIP,
    /** Give it up: the workflow gets a failure. */
    FAIL,
    /** Yes, it may act. */
    APPROVE,
    /** No, it may not. */
    DENY;

    /** Their words. */
    public static final EnumWords<Verdict> WORDS = EnumWords.of("verdict", List.of(values()));

    /** The verdict that {@code word} says. */
    public static Verdict parse(String word) {
        return WORDS.parseTyped(word);
    }

    /** As on the command line. */
    public String word() {
        return EnumWords.word(this);
    }
}
