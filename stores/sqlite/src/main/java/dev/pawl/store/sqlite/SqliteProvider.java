package dev.pawl.store.sqlite;

import dev.pawl.store.OpenMode;
import dev.pawl.store.OutgoingStore;
import dev.pawl.store.Store;
import dev.pawl.store.StoreProvider;
import dev.pawl.time.Time;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Stores in files, by their paths. */
public final class SqliteProvider implements StoreProvider {
    private static final Pattern OF_ANOTHER_KIND =
            Pattern.compile("^jdbc:|^[a-z][a-z0-9+.-]*://", Pattern.CASE_INSENSITIVE);

    @Override
    public boolean isFor(String address) {
        return !OF_ANOTHER_KIND.matcher(address).find();
    }

    @Override
    public boolean isThere(String address) {
        // An empty file is none yet: its making was cut short, or somebody emptied it.
        return Path.of(address).toFile().length() > 0;
    }

    @Override
    public Store open(String address, Time time, OpenMode how) {
        return SqliteStore.open(Path.of(address), time, how);
    }

    @Override
    public String place(String address) {
        return SqliteStore.oneName(Path.of(address)).toString();
    }

    @Override
    public int schema() {
        return SqliteStore.SCHEMA;
    }

    @Override
    public int schemaAt(String address) {
        return SqliteStore.schemaOf(Path.of(address));
    }

    @Override
    public String schemaText() {
        return SqliteStore.schemaText();
    }

    @Override
    public void restored(String address, Time time) {
        SqliteStore.restore(Path.of(address), time);
    }

    @Override
    public OutgoingStore depart(String address, OutgoingStore.Destination order, Consumer<String> beforeSealing) {
        return SqliteStore.depart(Path.of(address), order, beforeSealing);
    }
}
