package dev.pawl.command;

import dev.pawl.time.Time;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the minder's classes are. The launcher says it, because it knows where it lies itself: a class that comes out of an AOT cache tells where
 * it lay when the cache was made, which may be elsewhere or nowhere by now. Without a launcher the classes themselves are asked.
 *
 * @param said the folder with the jars, as the launcher says; null when it says nothing
 */
record MinderJars(@Nullable Path said) {
    /** The system property by which a launcher tells in which folder Pawl's jars are. */
    static final String PROPERTY = "pawl.jars";

    /** As the launcher of this process says. */
    static MinderJars ofLauncher() {
        var said = System.getProperty(PROPERTY);
        return new MinderJars(said == null || said.isBlank() ? null : Path.of(said));
    }

    /** The minder's own class and the clock. */
    String classPath() throws IOException {
        var places = new LinkedHashSet<String>();
        if (said == null) {
            places.add(placeOf(Minder.class));
            places.add(placeOf(Time.class));
        } else {
            places.add(jar(said, "pawl-command"));
            places.add(jar(said, "pawl-core"));
        }
        return String.join(File.pathSeparator, places);
    }

    private static String jar(Path folder, String name) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException("there is no folder " + folder + ", where Pawl's jars should be; "
                    + "start Pawl by its own launcher, or build it again");
        }
        try (var jars = Files.newDirectoryStream(folder, name + "-*.jar")) {
            for (var jar : jars) {
                return jar.toString();
            }
        }
        throw new IOException(
                "there is no " + name + " in " + folder + ", where Pawl's jars should be; build it again");
    }

    private static String placeOf(Class<?> needed) throws IOException {
        var source = needed.getProtectionDomain().getCodeSource();
        var location = source == null ? null : source.getLocation();
        try {
            if (location != null && location.getProtocol().equals("file")) {
                var place = Path.of(location.toURI());
                if (Files.exists(place)) {
                    return place.toString();
                }
            }
        } catch (URISyntaxException e) {
            // Nobody can tell.
        }
        throw new IOException("nobody can tell where Pawl's jars are; start Java with -D" + PROPERTY + "=FOLDER");
    }

    /** What starts a minder. */
    List<String> command() throws IOException {
        return List.of(
                "setsid",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath(),
                Minder.class.getName());
    }
}
