package dev.pawl.guard;

import dev.pawl.key.Encoding;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Held by one process at a time, under a name. The kernel lets go of it when that process ends, however it ends; so whoever finds it held knows
 * that its holder is alive. One descriptor for each file and process: closing another one would let go of the lock.
 */
public final class Guard implements AutoCloseable {
    private static final int MOST_BYTES = 4_096;
    private static final FileAttribute<?> OURS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<?> OURS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final FileChannel channel;
    private final String holder;
    private final @Nullable Guard other;

    private Guard(FileChannel channel, String holder, @Nullable Guard other) {
        this.channel = channel;
        this.holder = holder;
        this.other = other;
    }

    /** This one and {@code also}, for what is guarded in two places: a word is left with both, and both are let go of together. */
    public Guard with(Guard also) {
        return new Guard(channel, holder, also);
    }

    /** What came of wanting it. */
    public sealed interface TryResult {
        /**
         * It is ours until it is closed.
         *
         * @param before what the last holder noted last; empty when that was nothing
         */
        record Ours(Guard guard, String before) implements TryResult {}

        /** Somebody who is alive has it. */
        record Taken(Holder by) implements TryResult {}
    }

    /**
     * Who has it.
     *
     * @param who for people
     * @param since when it was taken
     */
    public record Holder(String who, Instant since) {}

    /**
     * Takes the guard called {@code name}, unless somebody has it.
     *
     * @param folder where guards are kept, on a local disk
     * @param who who takes it, for people
     */
    public static TryResult take(Path folder, String name, String who, Time time) throws IOException {
        Files.createDirectories(folder, OURS_ALONE);
        var file = folder.resolve(Encoding.hash(name) + ".lock");
        var channel = open(folder, file);
        try {
            if (channel.tryLock() == null) {
                try (channel) {
                    return new TryResult.Taken(read(channel));
                }
            }
        } catch (OverlappingFileLockException e) {
            throw new IllegalStateException("guard " + name + " is held by this very process", e);
        }
        var before = lines(channel);
        var guard = new Guard(channel, who + "\n" + time.now(), null);
        guard.note(before.length > 2 ? before[2] : "");
        return new TryResult.Ours(guard, before.length > 2 ? before[2] : "");
    }

    /**
     * Whoever may read a guard could lock it for everybody, so it is its owner's alone; those in a folder that was opened to a group on purpose are the group's.
     */
    private static FileChannel open(Path folder, Path file) throws IOException {
        try {
            Files.createFile(file, OURS);
            Files.setPosixFilePermissions(file, openTo(Files.getPosixFilePermissions(folder)));
        } catch (FileAlreadyExistsException e) {
            // It keeps the mode that it has.
        }
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** To whom a folder was opened on purpose: who may read it and not write was never meant; folders of an earlier state are like that. */
    private static Set<PosixFilePermission> openTo(Set<PosixFilePermission> folder) {
        var open = EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        if (folder.contains(PosixFilePermission.GROUP_WRITE)) {
            open.addAll(Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_WRITE));
        }
        if (folder.contains(PosixFilePermission.OTHERS_WRITE)) {
            open.addAll(Set.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE));
        }
        return open;
    }

    /**
     * What was left last with a guard.
     *
     * @param holder who took it last
     * @param note the word that was left then; empty when none was
     */
    public record Last(Holder holder, String note) {}

    /**
     * What was left last with the guard called {@code name}; empty when nobody ever took it. Not for a process that holds it: to close a file lets go of
     * its lock.
     */
    public static Optional<Last> last(Path folder, String name) throws IOException {
        var file = folder.resolve(Encoding.hash(name) + ".lock");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            var lines = lines(channel);
            return Optional.of(new Last(read(channel), lines.length > 2 ? lines[2] : ""));
        }
    }

    /** Leaves a word for whoever holds it next, in place of the last one; it stays although this process dies. */
    public void note(String word) throws IOException {
        write(channel, holder + "\n" + word);
        if (other != null) {
            other.note(word);
        }
    }

    /** One write of one record, as long as every other: whoever dies in between leaves the old one or the new one. */
    private static void write(FileChannel channel, String text) throws IOException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MOST_BYTES) {
            throw new IOException("a guard's record has at most " + MOST_BYTES + " bytes");
        }
        channel.write(ByteBuffer.wrap(Arrays.copyOf(bytes, MOST_BYTES)), 0);
    }

    private static Holder read(FileChannel channel) throws IOException {
        var lines = lines(channel);
        try {
            return new Holder(lines[0], Instant.parse(lines.length > 1 ? lines[1].strip() : ""));
        } catch (DateTimeParseException e) {
            // It has just been taken, and nothing is written yet.
            return new Holder(lines[0].isBlank() ? "another process" : lines[0], Instant.EPOCH);
        }
    }

    private static String[] lines(FileChannel channel) throws IOException {
        var bytes = ByteBuffer.allocate(MOST_BYTES);
        channel.read(bytes, 0);
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8)
                .replace("\0", "")
                .split("\n", 3);
    }

    @Override
    public void close() throws IOException {
        try (other) {
            channel.close();
        }
    }
}
