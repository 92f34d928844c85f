package dev.pawl.store.postgres;

import dev.pawl.store.OpenMode;
import dev.pawl.store.OutgoingStore;
import dev.pawl.store.Store;
import dev.pawl.store.StoreProvider;
import dev.pawl.time.Time;
import java.util.function.Consumer;

/** Stores in PostgreSQL databases, by addresses like {@code jdbc:postgresql://HOST:PORT/DATABASE}. */
public final class PostgresProvider implements StoreProvider {

    @Override
    public boolean isFor(String address) {
        return PostgresStore.isAddress(address);
    }

    @Override
    public boolean isThere(String address) {
        return PostgresStore.isThere(address);
    }

    @Override
    public Store open(String address, Time time, OpenMode how) {
        return PostgresStore.open(address, how);
    }

    @Override
    public String shown(String address) {
        return PostgresStore.shown(address);
    }

    @Override
    public int schema() {
        return PostgresStore.SCHEMA;
    }

    @Override
    public int schemaAt(String address) {
        return PostgresStore.schemaOf(address);
    }

    @Override
    public String schemaText() {
        return PostgresStore.schemaText();
    }

    @Override
    public void restored(String address, Time time) {
        PostgresStore.restored(address);
    }

    @Override
    public OutgoingStore depart(String address, OutgoingStore.Destination order, Consumer<String> beforeSealing) {
        return PostgresStore.depart(address, order, beforeSealing);
    }
}
