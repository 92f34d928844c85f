package dev.pawl.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one attempt. It is there as a whole or not at all; who starts the command and who gives up on it contend for one file, so one of
 * them wins whatever dies in between. Thread-safe, and safe between processes.
 */
public final class Folder {
    static final FileAttribute<?> OURS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final String STARTED = "started";
    private static final String ABANDONED = "abandoned";
    private static final String TO_END = "to-end";

    private final Path path;

    private Folder(Path path) {
        this.path = path;
    }

    /** The folder at {@code path}, which need not be there yet. */
    public static Folder at(Path path) {
        return new Folder(path.toAbsolutePath());
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** What can be seen of an attempt. */
    public sealed interface Sight {
        /** Nobody has prepared it. */
        record Absent() implements Sight {}

        /** It is prepared; a minder may still start it. */
        record Prepared() implements Sight {}

        /** Its command runs. */
        record Running() implements Sight {}

        /** Its command has ended. */
        record Ended(Exit exit) implements Sight {}

        /** It was never started and never will be. */
        record Abandoned() implements Sight {}

        /** It was started, nobody minds it any more, and nobody knows how it ended. */
        record Lost() implements Sight {}
    }

    // ---- who wants a command run

    /**
     * Lays an order and what the command reads into the folder.
     *
     * @throws FileAlreadyExistsException when it was prepared before
     */
    public void prepare(Order order, byte[] input) throws IOException {
        prepare(order, input, CommandCall.Reading.USUAL);
    }

    /** The same, with how its answer is to be read by whoever finds it. */
    void prepare(Order order, byte[] input, CommandCall.Reading reading) throws IOException {
        var parent = Files.createDirectories(path.getParent(), OURS_ALONE);
        var half = Files.createTempDirectory(parent, "preparing", OURS_ALONE);
        try {
            layOut(half, order, input, reading);
            Files.move(half, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            delete(half);
            throw Files.exists(path) ? new FileAlreadyExistsException(path.toString()) : e;
        }
    }

    private static void layOut(Path half, Order order, byte[] input, CommandCall.Reading reading) throws IOException {
        Files.write(half.resolve("order"), order.bytes());
        Files.write(half.resolve("input"), input);
        Files.writeString(half.resolve("reading"), reading.text());
        Files.write(half.resolve("exit-to-be"), new byte[Exit.ROOM]);
        Files.createFile(half.resolve("alive"));
        // On a disk that is full by then there is still room for a link.
        Files.writeString(half.resolve(STARTED), STARTED);
        Files.writeString(half.resolve(ABANDONED), ABANDONED);
    }

    /** What can be seen now. */
    public Sight look() throws IOException {
        try {
            Files.readAttributes(path, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            return new Sight.Absent();
        }
        var fate = fate();
        if (fate == null) {
            return new Sight.Prepared();
        }
        if (fate.equals(ABANDONED)) {
            return new Sight.Abandoned();
        }
        // Whoever started it held the lock before and holds it until the exit is there: so the lock is looked at after
        // the fate, and the exit
        // after the lock.
        var running = minded();
        var exit = exit();
        if (exit != null) {
            return new Sight.Ended(exit);
        }
        return running ? new Sight.Running() : new Sight.Lost();
    }

    /** Gives up on a command that nobody has started. Returns whether it was not started and never will be. */
    public boolean abandon() throws IOException {
        return decide(ABANDONED) || ABANDONED.equals(fate());
    }

    /** Whether its command runs, or may still be started; what was only prepared is given up. */
    public boolean goesOn() throws IOException {
        var sight = look();
        return sight instanceof Sight.Running || (sight instanceof Sight.Prepared && !abandon());
    }

    /** Asks whoever minds its command to end it, politely first; one that has ended stays as it ended. */
    public void askToEnd() throws IOException {
        try {
            Files.createFile(path.resolve(TO_END));
        } catch (FileAlreadyExistsException e) {
            // Somebody has asked before.
        } catch (NoSuchFileException e) {
            // Nothing is left of it.
        }
    }

    /** The job whose command it is; empty when it is no job's. */
    public Optional<String> job() throws IOException {
        return Optional.ofNullable(order().more().get(CommandEnvironment.JOB));
    }

    /** Which attempt of which step or effect its command is: {@code push, attempt 2}. */
    public String attempt() throws IOException {
        var more = order().more();
        return more.get(CommandEnvironment.STEP) + ", attempt " + more.get(CommandEnvironment.ATTEMPT);
    }

    /** The names of the environment variables whose values are masked in whatever is kept of it. */
    public List<String> secrets() throws IOException {
        var names = order().more().get(CommandEnvironment.SECRETS);
        return names == null ? List.of() : List.of(names.split(" "));
    }

    /** How its answer is to be read, with these secrets; as usual when an earlier state laid it out, which did not say. */
    CommandCall.Reading reading(Secrets secrets) throws IOException {
        try {
            return CommandCall.Reading.of(text("reading"), secrets);
        } catch (NoSuchFileException e) {
            return new CommandCall.Reading(Map.of(), secrets);
        }
    }

    /** Whether its minder puts masks in place of secrets; those of earlier states did not. */
    public boolean isMasked() throws IOException {
        try {
            return text("reading").lines().anyMatch(CommandCall.Reading.MASKED::equals);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Takes secrets out of what nobody will read as a result any more, because nobody minds its command. */
    void maskAll(Secrets secrets) {
        mask(secrets);
        mask(output(), secrets);
        mask(log(), secrets);
    }

    /** Takes secrets out of what the command has put here itself, or was laid out for it to read. */
    void mask(Secrets secrets) {
        if (Files.isRegularFile(input(), LinkOption.NOFOLLOW_LINKS)) {
            mask(input(), secrets);
        }
        mask(result(), secrets);
        mask(failure(), secrets);
        mask(usage(), secrets);
    }

    /** Where there is no room for another copy it stays: whoever reads it masks it again. */
    private static void mask(Path file, Secrets secrets) {
        try {
            MaskedFile.replace(file, secrets);
        } catch (IOException e) {
            System.err.println("pawl: " + file + " could not be masked: " + e);
        }
    }

    /** What has been put in the place of a file, a pipe say, is not waited for. */
    private byte[] bytes(String name) throws IOException {
        var file = path.resolve(name);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file)) {
            throw new IOException(file + " is no file");
        }
        return Files.readAllBytes(file);
    }

    private String text(String name) throws IOException {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    /** Removes it with all that is in it. */
    public void remove() throws IOException {
        delete(path);
    }

    // ---- the minder

    Order order() throws IOException {
        return Order.of(bytes("order"));
    }

    /** Takes the folder's lock, to be held while the command is minded. Waits for those who only look, and for another minder. */
    HeldLock hold() throws IOException {
        var channel = FileChannel.open(path.resolve("alive"), StandardOpenOption.WRITE);
        try {
            return new HeldLock(channel, channel.lock());
        } catch (IOException | OverlappingFileLockException e) {
            channel.close();
            throw e;
        }
    }

    /** The lock of a folder; closed, nobody minds its command any more. */
    record HeldLock(FileChannel channel, FileLock lock) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** Says that the command starts now. Returns false when somebody has given up on it, or it was started before. */
    boolean start() throws IOException {
        return decide(STARTED);
    }

    /** Whether somebody wants the command to end. */
    boolean isToEnd() {
        return Files.exists(path.resolve(TO_END));
    }

    /** Makes it known, for good, how the command has ended. */
    void end(Exit exit) throws IOException {
        var toBe = path.resolve("exit-to-be");
        try (var channel = FileChannel.open(toBe, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(exit.bytes()));
            channel.force(true);
        }
        Files.move(toBe, path.resolve("exit"), StandardCopyOption.ATOMIC_MOVE);
    }

    // ---- files

    /** Lets the command, which has not begun, read from {@code other} and not from what was laid out for it. */
    public void readsFrom(Path other) throws IOException {
        Files.deleteIfExists(input());
        Files.createSymbolicLink(input(), other);
    }

    /** Lays out what is left of {@code other} as what the command, which has not begun, reads. Whoever reads it too finds it as it was. */
    public void reads(FileChannel other) throws IOException {
        var at = other.position();
        var some = ByteBuffer.allocate(1 << 16);
        try (var laidOut = Files.newOutputStream(input())) {
            for (var read = other.read(some, at); read > 0; read = other.read(some.clear(), at)) {
                laidOut.write(some.array(), 0, read);
                at += read;
            }
        }
    }

    Path input() {
        return path.resolve("input");
    }

    /** What the command wrote to its standard output, from the beginning, as much as is kept. */
    public Path output() {
        return path.resolve("output");
    }

    /** The last that the command wrote, to wherever. */
    public Path log() {
        return path.resolve("log");
    }

    /** What the command may write as its result. */
    Path result() {
        return path.resolve("result");
    }

    /** What the command may write of why it failed. */
    Path failure() {
        return path.resolve("failure");
    }

    /** What the command may write of what it has used, one JSON object a line. */
    Path usage() {
        return path.resolve("usage");
    }

    private boolean minded() throws IOException {
        try (var channel = FileChannel.open(path.resolve("alive"), StandardOpenOption.READ)) {
            return channel.tryLock(0, Long.MAX_VALUE, true) == null;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private @Nullable Exit exit() throws IOException {
        try {
            return Exit.of(bytes("exit"));
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private @Nullable String fate() throws IOException {
        try {
            return text("fate");
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** A link is made with its content or not at all, and by one only. */
    private boolean decide(String fate) throws IOException {
        try {
            Files.createLink(path.resolve("fate"), path.resolve(fate));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (NoSuchFileException e) {
            return decideAnew(fate);
        }
    }

    /** In a folder of an earlier state, which laid out less. */
    private boolean decideAnew(String fate) throws IOException {
        var mine = Files.createTempFile(path, fate, "");
        try {
            Files.writeString(mine, fate, StandardCharsets.UTF_8);
            Files.createLink(path.resolve("fate"), mine);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            Files.delete(mine);
        }
    }

    /** Removes a folder with all that is in it, if it is there. */
    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
