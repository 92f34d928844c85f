package dev.pawl.testkit.postgres;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL's programs and an empty database, unpacked once for everybody on this machine who uses the same version. */
final class Binaries {
    private static final String VERSION = "18";

    private final Path home;

    private Binaries(Path home) {
        this.home = home;
    }

    /** The unpacked programs. */
    static Binaries get() {
        try {
            var parent =
                    Path.of(System.getProperty("java.io.tmpdir"), "pawl-postgres-" + System.getProperty("user.name"));
            return new Binaries(MadeOnce.folder(parent, VERSION, half -> {
                unpack(half);
                initialise(half);
            }));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path program(String name) {
        return home.resolve("bin").resolve(name);
    }

    /** A data folder as {@code initdb} makes it, to be copied. */
    Path template() {
        return home.resolve("template");
    }

    private static void unpack(Path into) throws IOException {
        var name = "/postgres-"
                + System.getProperty("os.name").toLowerCase(Locale.ROOT).replace("mac os x", "darwin") + "-"
                + System.getProperty("os.arch").replace("amd64", "x86_64").replace("aarch64", "arm_64") + ".txz";
        try (var jar = Binaries.class.getResourceAsStream(name)) {
            if (jar == null) {
                throw new IOException("there is no PostgreSQL for this machine on the class path: " + name);
            }
            var tar = new ProcessBuilder("tar", "-x", "-C", into.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (var out = tar.getOutputStream()) {
                new XZInputStream(new BufferedInputStream(jar)).transferTo(out);
            }
            awaitSuccess(tar, "tar failed");
        }
    }

    private static void initialise(Path home) throws IOException {
        var command = asNobodySpecial(List.of(
                home.resolve("bin/initdb").toString(),
                "-D",
                home.resolve("template").toString(),
                "-U",
                "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C",
                "--no-sync"));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        awaitSuccess(process, "initdb failed: " + said);
    }

    static void awaitSuccess(Process process, String otherwise) throws IOException {
        try {
            if (process.waitFor() != 0) {
                throw new IOException(otherwise);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** PostgreSQL does not run as root; in a user namespace of its own it does not see that it does. */
    static List<String> asNobodySpecial(List<String> command) {
        if (!System.getProperty("user.name").equals("root")) {
            return command;
        }
        var all = new ArrayList<>(List.of("unshare", "-U"));
        all.addAll(command);
        return all;
    }

    /** Copies a folder with everything in it. */
    static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                var target = to.resolve(from.relativize(folder));
                Files.createDirectories(target);
                Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwx------"));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                try {
                    Files.copy(file, to.resolve(from.relativize(file)));
                } catch (NoSuchFileException e) {
                    // A server that runs deletes files.
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException why) throws IOException {
                if (why instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw why;
            }
        });
    }

    /** Deletes the files in a folder, but not the folders in it. */
    static void deleteFilesIn(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Deletes a folder with everything in it. */
    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path done, IOException failed) throws IOException {
                Files.deleteIfExists(done);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
