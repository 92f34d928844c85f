package dev.pawl.effect;

/**
 * How to ask the destination whether an attempt happened. An exception means {@link Verification.CannotTell}.
 *
 * @param <T> the effect's result
 */
@FunctionalInterface
public interface Verify<T> {

    /** Looks for the work of {@code attempt}, usually by its key. Reads only. */
    Verification<T> ask(Attempt attempt) throws Exception;
}
