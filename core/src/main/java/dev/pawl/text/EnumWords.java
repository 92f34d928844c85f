package dev.pawl.text;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The constants of an enum as people write them: in lower case, with hyphens.
 *
 * @param <E> the enum
 */
public final class EnumWords<E extends Enum<E>> {
    private final String what;
    private final List<E> constants;

    private EnumWords(String what, List<E> constants) {
        this.what = what;
        this.constants = constants;
    }

    /** The words for {@code constants}, each of which is called {@code what}: "verdict". */
    public static <E extends Enum<E>> EnumWords<E> of(String what, List<E> constants) {
        return new EnumWords<>(what, List.copyOf(constants));
    }

    /** The word for {@code constant}. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** All words, in the order of the constants. */
    public List<String> all() {
        return constants.stream().map(EnumWords::word).toList();
    }

    /** The constant whose word {@code word} is; empty when there is none. */
    public Optional<E> find(String word) {
        return constants.stream()
                .filter(constant -> word(constant).equals(word))
                .findFirst();
    }

    /**
     * The constant whose word {@code word} is.
     *
     * @throws IllegalArgumentException when there is none, saying which there are
     */
    public E parse(String word) {
        return find(word).orElseThrow(() -> noneFor(word));
    }

    /**
     * The constant that {@code typed} means, in upper or lower case, with spaces around it or without.
     *
     * @throws IllegalArgumentException when there is none, saying which there are
     */
    public E parseTyped(String typed) {
        return find(typed.strip().toLowerCase(Locale.ROOT)).orElseThrow(() -> noneFor(typed));
    }

    private IllegalArgumentException noneFor(String word) {
        return new IllegalArgumentException("\"" + word + "\" is no " + what + "; say " + oneOf(all()));
    }

    /** Words of which one is meant, as people list them: {@code done, retry or skip}. */
    public static String oneOf(List<String> words) {
        return words.size() == 1
                ? words.getFirst()
                : String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.getLast();
    }
}
