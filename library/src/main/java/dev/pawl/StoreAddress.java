package dev.pawl;

import dev.pawl.export.ExportFile;
import dev.pawl.export.LineSums;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.OpenMode;
import dev.pawl.store.OutgoingStore;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreLines;
import dev.pawl.store.StoreProvider;
import dev.pawl.store.postgres.PostgresProvider;
import dev.pawl.store.sqlite.SqliteProvider;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Where a store is, as people write it: the path of a file, {@code jdbc:postgresql://HOST:PORT/DATABASE} with its tables in the schema {@code pawl} unless a
 * parameter {@code pawlSchema} names another, or whatever a {@link StoreProvider} on the class path knows.
 */
public final class StoreAddress {
    private static final StoreProvider FILES = new SqliteProvider();
    private static final List<StoreProvider> OURS = List.of(FILES, new PostgresProvider());

    private final String text;
    private final StoreProvider provider;

    private StoreAddress(String text, StoreProvider provider) {
        this.text = text;
        this.provider = provider;
    }

    /**
     * The address that {@code text} is. Nothing is looked at.
     *
     * @throws IllegalArgumentException when it looks like an address, and is none that anybody here knows
     */
    public static StoreAddress of(String text) {
        return of(text, StoreAddress.class::getClassLoader);
    }

    /**
     * The same where stores of other kinds are looked for elsewhere, too.
     *
     * @param others asked only when no store of ours has such addresses: looking costs time
     */
    public static StoreAddress of(String text, Supplier<ClassLoader> others) {
        return new StoreAddress(
                text,
                Stream.concat(OURS.stream(), Stream.of(others).flatMap(unknown -> providers(unknown.get())))
                        .filter(provider -> provider.isFor(text))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "that is neither a file nor the address of a PostgreSQL database, nor of a store that a jar here brings;"
                                        + " write a database as jdbc:postgresql://HOST:PORT/DATABASE?user=NAME")));
    }

    private static Stream<StoreProvider> providers(ClassLoader where) {
        return ServiceLoader.load(StoreProvider.class, where).stream().map(ServiceLoader.Provider::get);
    }

    /** The address of a file. */
    public static StoreAddress of(Path file) {
        return new StoreAddress(file.toString(), FILES);
    }

    /** Whether it names a file. */
    public boolean isFile() {
        return provider instanceof SqliteProvider;
    }

    /** Whether there is a store. Looking changes nothing. */
    public boolean isThere() {
        return provider.isThere(text);
    }

    /** The same without what is secret in it. */
    public String shown() {
        return provider.shown(text);
    }

    /** The schema of the store that is there; 0 when there is none. Looking changes nothing. */
    public int schema() {
        return provider.schemaAt(text);
    }

    /** The schema that this version writes there. */
    public int schemaWritten() {
        return provider.schema();
    }

    /** The schema that this version writes there, as SQL. */
    public String schemaText() {
        return provider.schemaText();
    }

    /**
     * Opens the store as far as {@code opening} allows, and makes it where that is allowed and it is not there. For {@link Pawl#over}, or to look at it: that changes nothing and needs
     * no right to write.
     */
    public Store open(OpenMode opening) {
        return provider.open(text, Time.system(), opening);
    }

    /**
     * Opens a store that is there already.
     *
     * @throws IllegalArgumentException when there is none
     */
    public Store openThere(OpenMode opening) {
        if (!isThere()) {
            throw new IllegalArgumentException("there is no store " + shown());
        }
        return open(opening);
    }

    /**
     * Copies the store in the file that is here to {@code to}, as it is now, while others may work with it. The copy knows that it is one: it opens only once it is
     * {@linkplain #restore restored}.
     *
     * @throws IllegalArgumentException when it is not in a file
     */
    public void backUpTo(Path to) {
        SqliteStore.backUp(file(), to);
    }

    /**
     * Makes a backup that is here, or a file whose log was lost, the store. What was done after the backup was made, or was in that log, is not in it and would be done
     * again: so everybody waits at the gate {@link dev.pawl.gate.GateNames#RESTORED} until a person has looked, and opens it. Any other file is not touched. Of a database nobody
     * but its administrator knows that it was restored: said of one, it is taken for restored, whatever it is.
     *
     * @throws StoreFailure when it is in a store of another kind that cannot be told so
     */
    public void restore() {
        provider.restored(text, Time.system());
    }

    /**
     * The one true name of the store's file, whatever it is called here: symbolic links are followed.
     *
     * @throws StoreFailure when the file has another name that cannot be told from it, a hard link or a mount of the file alone
     * @throws IllegalArgumentException when it is not in a file
     */
    public Path oneName() {
        return SqliteStore.oneName(file());
    }

    private Path file() {
        if (!isFile()) {
            throw new IllegalArgumentException(shown() + " is no file");
        }
        return Path.of(text);
    }

    /**
     * Moves the store that is here elsewhere, with everything that is in flight. When there is room for it, it is sealed first: whoever opens it here from then on
     * is told where it is. Interrupted, it is said again and begins anew.
     *
     * @return how many lines of each kind have arrived, with the sums of their hashes, which were compared; empty when all of it had arrived before
     * @throws StoreFailure when it holds tables that are not Pawl's: nobody has said whether they move
     */
    public Map<String, LineSums.Sum> moveTo(StoreAddress target) {
        return moveTo(target, Set.of(), Set.of());
    }

    /**
     * The same of a store beside which there are tables that are not Pawl's, as there are where jobs write with {@code job.transaction}.
     *
     * @param moving which of them move too: into the schema in which a database looks first
     * @param staying which of them stay
     */
    public Map<String, LineSums.Sum> moveTo(StoreAddress target, Set<String> moving, Set<String> staying) {
        refuseTheSame(target);
        try (var departure = depart(target, moving, staying);
                var arrival = target.open(OpenMode.MOVING_IN)) {
            if (departure.hasArrived() && arrival.hold(departure.token())) {
                arrival.letGo(departure.token());
                throw new StoreFailure(
                        StoreFailure.Move.OPERATOR,
                        shown() + " has arrived at " + target.place()
                                + " before, and what is there now is not it; to make a store of what is left here would do again what was done there since",
                        null);
            }
            var arrived = arrival.receive(new IncomingStore(departure.token(), departure::tell));
            departure.arrived();
            return arrived;
        }
    }

    /** Where it is, the same from everywhere. */
    public String place() {
        return provider.place(text);
    }

    private void refuseTheSame(StoreAddress target) {
        var same = place().equals(target.place());
        if (!same && !isFile() && !target.isFile() && target.isThere() && isThere()) {
            same = identity().isPresent() && identity().equals(target.identity());
        }
        if (same) {
            throw new IllegalArgumentException("the store is at " + target.shown() + " already");
        }
    }

    private Optional<String> identity() {
        try (var store = open(OpenMode.TO_LOOK)) {
            return store.identity();
        } catch (StoreFailure hasLeftOrIsOnItsWay) {
            return Optional.empty();
        }
    }

    /** Holds the other place, then seals this one. */
    private OutgoingStore depart(StoreAddress target, Set<String> moving, Set<String> staying) {
        var held = new ArrayList<String>();
        try {
            return provider.depart(text, new OutgoingStore.Destination(target.place(), moving, staying), token -> {
                try (var arrival = target.open(OpenMode.MOVING_IN)) {
                    arrival.hold(token);
                }
                held.add(token);
            });
        } catch (RuntimeException e) {
            held.forEach(token -> target.letGo(token, e));
            throw e;
        }
    }

    private void letGo(String token, RuntimeException because) {
        try (var arrival = open(OpenMode.MOVING_IN)) {
            arrival.letGo(token);
        } catch (RuntimeException e) {
            because.addSuppressed(e);
        }
    }

    /**
     * Makes a store here of an {@linkplain Operator#export export}, which is read twice: first whether it is whole. What was done since it was written is not in it, so
     * everybody waits until a person has looked, and opens the gate {@link dev.pawl.gate.GateNames#RESTORED}.
     *
     * @return how many lines of each kind have arrived, with the sums of their hashes
     * @throws IllegalArgumentException when it is not whole, with the number of the line
     * @throws StoreFailure when a store with jobs or workers of its own is here
     */
    public Map<String, LineSums.Sum> receive(Path export) throws IOException {
        try (var reader = Files.newBufferedReader(export)) {
            ExportFile.read(reader, StoreLines::check);
        }
        try (var store = open(OpenMode.BRINGING_FORWARD)) {
            return store.receive(IncomingStore.ofCopy(
                    told -> {
                        try (var reader = Files.newBufferedReader(export)) {
                            ExportFile.read(reader, told);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    },
                    Time.system().now()));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
