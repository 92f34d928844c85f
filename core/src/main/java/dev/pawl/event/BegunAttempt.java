package dev.pawl.event;

import dev.pawl.effect.Terms;
import dev.pawl.key.Place;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that begins.
 *
 * @param run in which run of which job
 * @param place of which step or effect
 * @param number 1 for the first
 * @param key the effect's key, as its destination gets it; null of a step and of a transaction. It is no label for metrics: there are as many as effects
 * @param contract what the destination can do when an answer is missing; null of a step and of a transaction
 */
public record BegunAttempt(
        RunOfJob run,
        Place place,
        int number,
        @Nullable String key,
        @Nullable Terms contract) {}
