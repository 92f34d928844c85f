package dev.pawl.effect;

/**
 * What an effect begins goes on elsewhere after it: where its end is awaited, and how it is ended there when nobody awaits it any more.
 *
 * @param awaitedAs the name of the wait for its end, in the effect's own scope and with its item
 * @param end how it is ended there
 * @param <T> the effect's result, by which it is known there
 */
public record OwedEnd<T>(String awaitedAs, EndsIt<T> end) {
    /**
     * Ends there what an effect has begun.
     *
     * @param <T> the effect's result
     */
    @FunctionalInterface
    public interface EndsIt<T> {
        /** Ends it. Called again until it is known that this has happened, so what has ended already, or is not there any more, is no failure. */
        void end(T begun, Attempt attempt) throws Exception;
    }
}
