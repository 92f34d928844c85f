package dev.pawl.effect;

import dev.pawl.json.Values;

/** A request as it is kept for people: whoever asks the destination what became of it must know what was sent. Bounded, because it is kept with each job. */
public final class RequestText {
    /** Of what is longer, so many characters are kept. */
    public static final int MOST_CHARS = 16 * 1024;

    private RequestText() {}

    /** {@code request} as JSON, cut where it is too long: then it ends with an ellipsis, and is no JSON any more. */
    public static String of(Object request) {
        var text = Values.write(request instanceof ForPeople shown ? shown.forPeople() : request);
        if (text.length() <= MOST_CHARS) {
            return text;
        }
        var end = Character.isHighSurrogate(text.charAt(MOST_CHARS - 1)) ? MOST_CHARS - 1 : MOST_CHARS;
        return text.substring(0, end) + "…";
    }
}
