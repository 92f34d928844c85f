package dev.pawl.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Takes secrets out of files that somebody else has written. */
final class MaskedFile {
    private static final int AT_ONCE = 64 * 1024;

    private MaskedFile() {}

    /**
     * Puts a copy with masks in place of a file that has secrets in it. The file itself stays as it is where it has other names: it may be
     * somebody's own.
     */
    static void replace(Path file, Secrets secrets) throws IOException {
        if (secrets.isEmpty() || !Files.isRegularFile(file) || !isIn(file, secrets)) {
            return;
        }
        var copy = Files.createTempFile(file.getParent(), "masked", "");
        try (var to = FileChannel.open(copy, StandardOpenOption.WRITE)) {
            var masking = new Masking(secrets, (bytes, length) -> write(to, bytes, length));
            readInto(masking, file);
            to.force(true);
            Files.move(copy, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    private static boolean isIn(Path file, Secrets secrets) throws IOException {
        var masking = new Masking(secrets, (bytes, length) -> {});
        readInto(masking, file);
        return masking.found();
    }

    private static void readInto(Masking masking, Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            var bytes = new byte[AT_ONCE];
            for (var read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                masking.take(bytes, read);
            }
            masking.end(false);
        }
    }

    private static void write(FileChannel to, byte[] bytes, int length) {
        try {
            for (var rest = ByteBuffer.wrap(bytes, 0, length); rest.hasRemaining(); ) {
                to.write(rest);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
