package dev.pawl.store;

import dev.pawl.export.StoreLine;
import java.util.Set;
import java.util.function.Consumer;

/** A store that leaves its place: it is sealed, and nobody writes in it any more. Not thread-safe. */
public interface OutgoingStore extends AutoCloseable {

    /** What tells this move from every other. */
    String token();

    /** Whether all of it is known to have arrived. */
    boolean hasArrived();

    /** All of it has arrived: from then on there is one store, and this is what was left of it. */
    void arrived();

    /** Tells all of it, and the tables of its user that move along; as often as it is asked. */
    void tell(Consumer<StoreLine> told);

    @Override
    void close();

    /**
     * Where a store is to go, and what goes with it.
     *
     * @param to the place, without what is secret in it, and so that it is the same from everywhere: whoever opens the store from then on is told
     * @param moving tables of the store's user that move along
     * @param staying such tables that are left behind
     */
    record Destination(String to, Set<String> moving, Set<String> staying) {
        public Destination {
            moving = Set.copyOf(moving);
            staying = Set.copyOf(staying);
        }

        /** Of a store in which there is nothing but its own. */
        public static Destination to(String address) {
            return new Destination(address, Set.of(), Set.of());
        }
    }
}
