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
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
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

    /** Whoever has just taken it may not have said yet who it is: so long is waited for that, and no longer, because it may be frozen. */
    private static final Duration LONGEST_UNTIL_SAID = Duration.ofSeconds(5);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    /** Stands beside the time in the record of one who has let go of it. */
    private static final String LEFT = "left";

    private final FileChannel channel;
    private final String who;
    private final String since;
    private final @Nullable Guard other;
    private String noted;

    private Guard(FileChannel channel, String who, String since, String noted, @Nullable Guard other) {
        this.channel = channel;
        this.who = who;
        this.since = since;
        this.noted = noted;
        this.other = other;
    }

    /** This one and {@code also}, for what is guarded in two places: a word is left with both, and both are let go of together. */
    public Guard with(Guard also) {
        return new Guard(channel, who, since, noted, also);
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
            var start = time.nanos();
            while (channel.tryLock() == null) {
                var taken = GuardRecord.in(channel);
                if (taken.isOfItsHolder() || isTooLong(start, time)) {
                    try (channel) {
                        return new TryResult.Taken(taken.holder());
                    }
                }
            }
        } catch (OverlappingFileLockException e) {
            throw new IllegalStateException("guard " + name + " is held by this very process", e);
        }
        var before = GuardRecord.in(channel).note();
        var since = time.now() + " " + ProcessHandle.current().pid();
        var guard = new Guard(channel, who, since, before, null);
        guard.note(before);
        return new TryResult.Ours(guard, before);
    }

    /** Waits a little for whoever has it to say who it is; says whether that has taken too long, or was interrupted. */
    private static boolean isTooLong(long start, Time time) {
        if (time.nanos() - start > LONGEST_UNTIL_SAID.toNanos()) {
            return true;
        }
        try {
            time.await(BETWEEN_LOOKS);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
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
            var left = GuardRecord.in(channel);
            return Optional.of(new Last(left.holder(), left.note()));
        }
    }

    /** Leaves a word for whoever holds it next, in place of the last one; it stays although this process dies. */
    public void note(String word) throws IOException {
        write(channel, who + "\n" + since + "\n" + word);
        noted = word;
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

    /**
     * What stands in a guard.
     *
     * @param who who took it
     * @param when when it was taken, by which process, and whether that has let go of it
     * @param note what was noted
     */
    private record GuardRecord(String who, List<String> when, String note) {
        private static GuardRecord in(FileChannel channel) throws IOException {
            var bytes = ByteBuffer.allocate(MOST_BYTES);
            channel.read(bytes, 0);
            var lines = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8)
                    .replace("\0", "")
                    .split("\n", 3);
            return new GuardRecord(
                    lines[0],
                    lines.length > 1 ? List.of(lines[1].strip().split(" ")) : List.of(""),
                    lines.length > 2 ? lines[2] : "");
        }

        /** Whether it is the word of whoever holds it now, as far as anybody can tell; earlier states of Pawl did not say which process they were. */
        private boolean isOfItsHolder() {
            if (who.isBlank() || when.getLast().equals(LEFT)) {
                return false;
            }
            return when.size() == 1
                    || !when.get(1).matches("\\d{1,18}")
                    || ProcessHandle.of(Long.parseLong(when.get(1)))
                            .filter(ProcessHandle::isAlive)
                            .isPresent();
        }

        private Holder holder() {
            try {
                return new Holder(who, Instant.parse(when.getFirst()));
            } catch (DateTimeParseException e) {
                // It has just been taken, and nothing is written yet.
                return new Holder(who.isBlank() ? "another process" : who, Instant.EPOCH);
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (other;
                channel) {
            sayThatItIsLeft();
        }
    }

    private void sayThatItIsLeft() {
        try {
            if (channel.isOpen()) {
                write(channel, who + "\n" + since + " " + LEFT + "\n" + noted);
            }
        } catch (IOException e) {
            // Its process ends, or whoever comes between two others waits a moment for a word.
        }
    }
}
