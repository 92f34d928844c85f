package dev.pawl.cli;

import dev.pawl.StoreAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Jars that people put beside Pawl's own, in the folder {@code more}: stores of other kinds. They are looked at only when something is named that nobody here knows, so
 * that starting gets no slower.
 */
final class MoreJars {
    /** Where the launcher says that Pawl's own jars lie. */
    private static final String HOME = "pawl.jars";

    private MoreJars() {}

    /** The address of a store, of any kind that is known here or in one of those jars. */
    static StoreAddress address(String text) {
        return StoreAddress.of(text, () -> loader(folder()));
    }

    /** The folder, there or not; null where nobody knows where Pawl lies. */
    static @Nullable Path folder() {
        var home = System.getProperty(HOME);
        return home == null ? null : Path.of(home).resolveSibling("more");
    }

    /** What finds classes in the jars of {@code folder}, and whatever Pawl itself finds. */
    static ClassLoader loader(@Nullable Path folder) {
        var ours = MoreJars.class.getClassLoader();
        if (folder == null || !Files.isDirectory(folder)) {
            return ours;
        }
        try (var files = Files.list(folder)) {
            var jars = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .map(MoreJars::url)
                    .toArray(URL[]::new);
            return new URLClassLoader(jars, ours);
        } catch (IOException e) {
            throw new UncheckedIOException(folder + " cannot be read", e);
        }
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(jar + " is no file that can be named", e);
        }
    }
}
