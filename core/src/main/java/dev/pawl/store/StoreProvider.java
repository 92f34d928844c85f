package dev.pawl.store;

import dev.pawl.store.StoreFailure.Move;
import dev.pawl.time.Time;
import java.util.function.Consumer;

/**
 * Opens stores of one kind by their addresses. Whoever brings a store of their own names an implementation in
 * {@code META-INF/services/dev.pawl.store.StoreProvider}; then its addresses work wherever an address does. Thread-safe.
 */
public interface StoreProvider {

    /** Whether {@code address} is of this kind. Nothing is looked at. */
    boolean isFor(String address);

    /** Whether there is a store at {@code address}. Looking changes nothing. */
    boolean isThere(String address);

    /**
     * Opens the store at {@code address} as far as {@code opening} allows.
     *
     * @throws StoreFailure when it cannot be opened, with a sentence that says why and what to do
     */
    Store open(String address, Time time, OpenMode opening);

    /** The address without what is secret in it. */
    default String shown(String address) {
        return address;
    }

    /** The same so that it leads to the same place from everywhere. */
    default String place(String address) {
        return shown(address);
    }

    /** The schema that this version writes; 0 where there is nothing to bring forward. */
    default int schema() {
        return 0;
    }

    /** The schema of the store at {@code address}; 0 when there is none. Looking changes nothing. */
    default int schemaAt(String address) {
        return 0;
    }

    /** The schema that this version writes, for people who look after a database. */
    default String schemaText() {
        return "";
    }

    /**
     * The store at {@code address} is what a backup has left: nobody goes on with what was begun before, and everybody waits at the gate {@link dev.pawl.gate.GateNames#RESTORED} until a person has
     * looked.
     *
     * @throws StoreFailure when this kind of store cannot be told so
     */
    default void restored(String address, Time time) {
        throw new StoreFailure(
                Move.OPERATOR, shown(address) + " is of a kind that cannot be told that it was restored", null);
    }

    /**
     * Seals the store at {@code address}, or finds it sealed by an earlier try for the same place: from then on nobody writes in it, and whoever opens it is told
     * where it is.
     *
     * @param beforeSealing hears of the token, holds the place where it goes, and throws when it cannot: then it stays as it is. Not run where it is sealed already
     * @throws StoreFailure when somebody works with it, it was moved elsewhere before, or this kind of store does not move
     */
    default OutgoingStore depart(
            String address, OutgoingStore.Destination destination, Consumer<String> beforeSealing) {
        throw new StoreFailure(Move.OPERATOR, shown(address) + " is of a kind that does not move", null);
    }
}
