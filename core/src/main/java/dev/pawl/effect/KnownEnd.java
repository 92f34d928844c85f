package dev.pawl.effect;

import dev.pawl.cost.Use;
import dev.pawl.key.Identity;
import java.util.List;

/**
 * What somebody knows of an attempt of which the store may not have heard: the machine where a command ran, say, after its worker is gone.
 *
 * @param job whose attempt it was
 * @param key the effect's key, as the attempt was given it
 * @param number which attempt
 * @param fence under which it was made
 * @param answer what became of it
 * @param uses what it used
 */
public record KnownEnd(Identity job, String key, int number, long fence, Answer answer, List<Use> uses) {
    public KnownEnd {
        uses = List.copyOf(uses);
    }
}
