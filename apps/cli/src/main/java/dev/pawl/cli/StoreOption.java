package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.StoreAddress;
import dev.pawl.command.CommandEnvironment;
import dev.pawl.event.Events;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.OpenMode;
import dev.pawl.store.StoreFailure;
import dev.pawl.text.ShellWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which store: {@code --store}, else {@code PAWL_STORE}, else one per user; never the working directory, which cron has another one of. */
final class StoreOption {
    /** What SQLite and Pawl keep beside a store's file. */
    private static final List<String> BESIDE = List.of("wal", "shm", "journal", "lock");

    static final FileAttribute<?> OURS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description =
                    "The store: a file, or a database as jdbc:postgresql://HOST/DATABASE. Else PAWL_STORE, else ~/.local/share/pawl/pawl.db.")
    private @Nullable String store;

    @Option(
            names = "--restored",
            description =
                    "The store's file is a backup that was put in place: go on with it, once somebody has looked at what was done since.")
    private boolean restored;

    @Option(
            names = "--no-migrate",
            description =
                    "Do not bring a store forward that an earlier Pawl wrote: refuse it. Commands that look never do.")
    private boolean noMigrate;

    /** Which database it is, as far as it was asked. */
    private Optional<String> identity = Optional.empty();

    /** Opens a store that is there to change something in it. */
    Pawl open() {
        return open(PawlOptions.usual(), mayBring());
    }

    /** Opens a store that is there to look at it: it is neither made nor brought forward, and need not be writable. */
    Pawl look() {
        return open(PawlOptions.usual(), OpenMode.TO_LOOK);
    }

    /** Where the store is, for who says something of it without opening it. */
    StoreAddress unopened() {
        return isFile() ? StoreAddress.of(there()) : where();
    }

    private OpenMode mayBring() {
        return noMigrate ? OpenMode.AS_IT_IS : OpenMode.BRINGING_FORWARD;
    }

    private Pawl open(PawlOptions options, OpenMode opening) {
        if (restored && !isFile()) {
            throw new IllegalArgumentException(
                    "--restored is for a file that is a backup; of a database that was restored say \"pawl restored --store …\" once");
        }
        return remembered(
                Pawl.over((isFile() ? StoreAddress.of(there()) : where()).openThere(opening), named(options)));
    }

    /** Of a database, which it is: its address does not say it. */
    private Pawl remembered(Pawl opened) {
        if (!isFile()) {
            identity = opened.operator().storeIdentity();
        }
        return opened;
    }

    /** What everybody's {@code pawl} opens needs no name in a command that is printed; what a variable of this shell says does, because others have others. */
    private PawlOptions named(PawlOptions options) {
        var elsewhere = System.getenv(CommandEnvironment.STORE);
        var unnamed = elsewhere == null || elsewhere.isBlank();
        return unnamed && (store == null || Path.of(store).toAbsolutePath().equals(usual()))
                ? options.named("")
                : options;
    }

    private static Path usual() {
        return home().resolve("pawl.db");
    }

    /** The schema of the store that is there. */
    int schema() {
        var schema = (isFile() ? StoreAddress.of(there()) : where()).schema();
        if (schema == 0) {
            throw new IllegalArgumentException("there is no store " + shown());
        }
        return schema;
    }

    /** The schema that this Pawl writes there. */
    int ourSchema() {
        return where().schemaWritten();
    }

    /** Brings what an earlier Pawl wrote forward. */
    void bringForward() {
        open(PawlOptions.usual(), OpenMode.BRINGING_FORWARD).close();
    }

    /** The schema of such a store, as SQL. */
    String schemaText() {
        return where().schemaText();
    }

    /** The file of a store that is there. */
    Path there() {
        if (!isFile()) {
            throw new IllegalArgumentException(
                    "this is for a store in a file; of a database, use its own tools (pg_dump, pg_basebackup)");
        }
        var path = Path.of(address());
        if (!Files.exists(path) && !Files.notExists(path)) {
            throw new IllegalArgumentException(
                    "whether " + path
                            + " is there cannot be seen by this user; whoever owns its folder may open it to a group (chmod g+rx)");
        }
        if (!Files.exists(path)) {
            throw new IllegalArgumentException(
                    "there is no store " + path + "; name one with --store FILE or PAWL_STORE");
        }
        if (restored) {
            StoreAddress.of(path).restore();
        }
        return path;
    }

    /** The address, without what is secret in it. */
    String shown() {
        return where().shown();
    }

    /** Whether there is a store already. Looking changes nothing. */
    boolean isThere() {
        return where().isThere();
    }

    /** Opens the store to work with it, making it when it is not there. */
    Pawl openOrMake(PawlOptions options) {
        requireRights();
        if (isThere()) {
            return open(options, mayBring());
        }
        if (isFile()) {
            var path = Path.of(address()).toAbsolutePath();
            Warnings.say("a new store, " + path);
            return Pawl.openOrCreate(path, named(options));
        }
        var pawl = remembered(Pawl.openOrCreate(address(), options));
        Warnings.say("a new store, " + pawl.operator().describe());
        return pawl;
    }

    /** Where things are kept beside the store, on this machine: {@code pawl.db-commands}. */
    Path beside(String what) {
        if (isFile()) {
            var path = where().oneName();
            return path.resolveSibling(path.getFileName() + "-" + what);
        }
        return home().resolve("at-"
                + new Identity("store", Key.of(where().shown())).hash().substring(0, 12) + "-" + what);
    }

    /**
     * Where what belongs to the store on this machine is kept: of a database, however its address is spelled, and then by the address as it is spelled: there
     * earlier versions kept it, and whoever cannot ask the database which it is has nothing else to go by.
     */
    List<Path> places(String what) {
        return isFile()
                ? List.of(beside(what))
                : identity()
                        .map(id -> List.of(ofIdentity(id, what), beside(what)))
                        .orElse(List.of(beside(what)));
    }

    private static Path ofIdentity(String id, String what) {
        return home().resolve("store-" + id + "-" + what);
    }

    /** Which database it is; empty when it does not answer, or there is no store in it yet. */
    private Optional<String> identity() {
        if (identity.isEmpty()) {
            try (var looked = open(PawlOptions.usual().log(Events.NOWHERE), OpenMode.TO_LOOK)) {
                return looked.operator().storeIdentity();
            } catch (StoreFailure | IllegalArgumentException unknown) {
                // Whoever needs the store itself is told why.
            }
        }
        return identity;
    }

    /**
     * Where the folders of the store's commands are: they belong to the store, and not to the spelling of its address.
     *
     * @param opened the store, when a database must be asked which it is
     * @return where they are made, then where they were made before
     */
    List<Path> commands(Supplier<Pawl> opened) {
        var today = isFile()
                ? beside("commands")
                : opened.get()
                        .operator()
                        .storeIdentity()
                        .map(id -> ofIdentity(id, "commands"))
                        .orElse(beside("commands"));
        var earlier = isFile() ? asTyped("commands") : beside("commands");
        return today.equals(earlier) || !Files.isDirectory(earlier) ? List.of(today) : List.of(today, earlier);
    }

    /** Beside the file as it was typed, be that a link: there earlier versions kept things. */
    private Path asTyped(String what) {
        var path = Path.of(address()).toAbsolutePath();
        return path.resolveSibling(path.getFileName() + "-" + what);
    }

    /** Makes sure that this user may work with it, and that its folder is there, before anything is begun. */
    void requireRights() {
        if (isFile()) {
            makeFolder();
            Rights.require(where().oneName());
        }
    }

    private void makeFolder() {
        var folder = Path.of(address()).toAbsolutePath().getParent();
        if (folder == null || Files.isDirectory(folder)) {
            return;
        }
        try {
            Files.createDirectories(folder, OURS_ALONE);
        } catch (IOException e) {
            throw new StoreFailure(
                    StoreFailure.Move.OPERATOR,
                    "there can be no store " + address() + ", because its folder " + folder
                            + " is not there and cannot be made: " + EventFile.why(e)
                            + "; name another with --store FILE or PAWL_STORE",
                    e);
        }
    }

    /** The files that make the store, there or not; none of a database. */
    List<Path> files() {
        if (!isFile()) {
            return List.of();
        }
        var path = Path.of(address()).toAbsolutePath();
        return Stream.concat(Stream.of(path), BESIDE.stream().map(this::beside)).toList();
    }

    /** Whether it is in a file of this machine. */
    boolean isFile() {
        return where().isFile();
    }

    /** Where it is. */
    StoreAddress where() {
        return MoreJars.address(address());
    }

    private String address() {
        var named = store != null ? store : System.getenv(CommandEnvironment.STORE);
        if (named == null || (store == null && named.isBlank())) {
            InsideCommand.job().ifPresent(StoreOption::refuseTheDefault);
            return usual().toString();
        }
        if (named.indexOf('\n') >= 0 || named.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("a store's name has no line end in it: " + ShellWord.of(named));
        }
        return named;
    }

    /** What a command of a job types by accident never reaches the user's own store. */
    private static void refuseTheDefault(String job) {
        throw new IllegalArgumentException(
                "this is a command of " + job
                        + " (PAWL_JOB is set), which is told no store: say --store STORE, or hand it on with --env PAWL_STORE=STORE (batch run, guard) or env: {PAWL_STORE: STORE} (a flow)");
    }

    /** The address as a keyless guard tells it to its command; null when it holds something secret, which is written nowhere. */
    @Nullable
    String handedOn() {
        if (isFile()) {
            return Path.of(address()).toAbsolutePath().toString();
        }
        return shown().equals(address()) ? address() : null;
    }

    /** The user's own folder for data, as the shell that started us knows it; without one, as the system does. */
    private static Path home() {
        var data = System.getenv("XDG_DATA_HOME");
        if (data != null && Path.of(data).isAbsolute()) {
            return Path.of(data, "pawl");
        }
        var said = System.getenv("HOME");
        var home = Path.of(said == null || said.isBlank() ? System.getProperty("user.home") : said);
        if (!home.isAbsolute()) {
            throw new IllegalArgumentException(
                    "nobody can tell where your home folder is; name a store with --store FILE or PAWL_STORE, or set HOME");
        }
        return home.resolve(Path.of(".local", "share", "pawl"));
    }
}
