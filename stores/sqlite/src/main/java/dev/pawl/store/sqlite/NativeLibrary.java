package dev.pawl.store.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Puts SQLite's native library in one fixed place, once. The driver would otherwise unpack it to the temporary folder in every process, and a
 * process that is killed leaves it there.
 */
final class NativeLibrary {

    private static final String PATH_PROPERTY = "org.sqlite.lib.path";
    private static final FileAttribute<?> OURS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private NativeLibrary() {}

    /** Makes the driver use the fixed place. When that cannot be written to, the driver's own way is as good. */
    static synchronized void settle() {
        if (System.getProperty(PATH_PROPERTY) != null) {
            return;
        }
        try {
            var folder = Files.createDirectories(folder(System.getenv()), OURS_ALONE);
            // Where the driver has it is asked only when it is needed: the driver runs a process to find out.
            unpack(LibraryLoaderUtil::getNativeLibResourcePath, folder);
            System.setProperty(PATH_PROPERTY, folder.toString());
        } catch (IOException | UnsupportedOperationException e) {
            System.clearProperty(PATH_PROPERTY);
        }
    }

    /**
     * The fixed place: in the cache that the user wants, or else in the usual one.
     *
     * @throws IOException when nobody can tell where that is
     */
    static Path folder(Map<String, String> environment) throws IOException {
        var cache = environment.get("XDG_CACHE_HOME");
        var home = Objects.requireNonNullElse(environment.get("HOME"), System.getProperty("user.home"));
        var base = cache == null || cache.isBlank() ? Path.of(home, ".cache") : Path.of(cache);
        if (!base.isAbsolute()) {
            throw new IOException("there is no folder for what can be made again: " + base);
        }
        return base.resolve("pawl").resolve("sqlite-" + SQLiteJDBCLoader.getVersion());
    }

    /** Puts the library into {@code folder}, unless it is there. */
    static void unpack(Supplier<String> resources, Path folder) throws IOException {
        var library = folder.resolve(LibraryLoaderUtil.getNativeLibName());
        if (Files.exists(library)) {
            return;
        }
        var resource = resources.get() + "/" + LibraryLoaderUtil.getNativeLibName();
        try (var in = SQLiteJDBCLoader.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("the driver has no native library for this machine: " + resource);
            }
            var half = Files.createTempFile(folder, "unpacking", ".tmp");
            Files.copy(in, half, StandardCopyOption.REPLACE_EXISTING);
            Files.move(half, library, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
