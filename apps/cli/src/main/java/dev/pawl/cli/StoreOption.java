package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.key.Identity;
import dev.pawl.store.StoredJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which store: {@code --store}, else {@code PAWL_STORE}, else one per user; never the working directory, which cron has another one of. */
final class StoreOption {

    @Option(
            names = "--store",
            paramLabel = "FILE",
            description = "The store's file. Else PAWL_STORE, else ~/.local/share/pawl/pawl.db.")
    private @Nullable Path file;

    @Option(
            names = "--restored",
            description =
                    "The store's file is a backup that was put in place: go on with it, once somebody has looked at what was done since.")
    private boolean restored;

    /** Opens a store that is there. Looking never makes one. */
    Pawl open() {
        return Pawl.open(there());
    }

    /** The file of a store that is there. */
    Path there() {
        var path = path();
        if (!Files.exists(path)) {
            throw new IllegalArgumentException(
                    "there is no store " + path + "; name one with --store FILE or PAWL_STORE");
        }
        if (restored) {
            Pawl.restore(path);
        }
        return path;
    }

    /** Opens the store to work with it, making it when it is not there. */
    Pawl openOrMake(PawlOptions options) throws IOException {
        var path = path().toAbsolutePath();
        if (Files.exists(path)) {
            return Pawl.open(there(), options);
        }
        if (path.getParent() != null) {
            Files.createDirectories(path.getParent());
        }
        System.err.println("pawl: a new store, " + path);
        return Pawl.open(path, options);
    }

    /** Where things are kept beside the store: {@code pawl.db-commands}. */
    Path beside(String what) {
        var path = path().toAbsolutePath();
        return path.resolveSibling(path.getFileName() + "-" + what);
    }

    private Path path() {
        if (file != null) {
            return file;
        }
        var named = System.getenv("PAWL_STORE");
        if (named != null && !named.isBlank()) {
            return Path.of(named);
        }
        var data = System.getenv("XDG_DATA_HOME");
        var home = data == null || data.isBlank()
                ? Path.of(System.getProperty("user.home"), ".local", "share")
                : Path.of(data);
        return home.resolve("pawl").resolve("pawl.db");
    }

    /** The job that is meant: by workflow and key, or by its number. */
    static StoredJob find(Pawl pawl, String name) {
        if (name.matches("\\d{1,18}")) {
            return pawl.find(Long.parseLong(name))
                    .orElseThrow(() ->
                            new IllegalArgumentException("there is no job " + name + "; \"pawl jobs\" lists them"));
        }
        var identity = Identity.parse(name);
        return pawl.find(identity)
                .orElseThrow(() ->
                        new IllegalArgumentException("there is no job " + identity + "; \"pawl jobs\" lists them"));
    }
}
