package dev.pawl.store.sqlite;

import dev.pawl.store.OpenMode;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One locked byte of {@code FILE-lock} for each living worker: the kernel lets go of it when the process is gone.
 *
 * <p>POSIX locks vanish when <em>any</em> descriptor of the file is closed in the process, so the file is opened once per process and never
 * closed while anybody here uses it. Thread-safe.
 */
final class Lifelines {

    private static final String LOCK = "-lock";
    private static final Map<Path, Lifelines> OPEN = new HashMap<>();

    private final Path path;
    private final @Nullable FileChannel channel;
    private int users;

    private Lifelines(Path path, @Nullable FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Makes the file, with the mode of the database, unless it is there. */
    private static FileChannel open(Path path, Path database) throws IOException {
        try {
            Files.createFile(path, SqliteFile.OURS_ALONE);
            Files.setPosixFilePermissions(path, Files.getPosixFilePermissions(database));
        } catch (FileAlreadyExistsException e) {
            // It keeps the mode that it has.
        }
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Whoever only looks makes nothing, and may have no right to; then nobody is known to be gone. */
    private static @Nullable FileChannel look(Path path) throws IOException {
        try {
            return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (NoSuchFileException | AccessDeniedException e) {
            return null;
        }
    }

    /** The lifelines beside {@code database}, shared with everybody else in this process. */
    static Lifelines beside(Path database, OpenMode how) {
        synchronized (OPEN) {
            try {
                var path = beside(database.toRealPath(), LOCK);
                var lifelines = OPEN.get(path);
                if (lifelines == null || (lifelines.channel == null && how != OpenMode.TO_LOOK)) {
                    lifelines = new Lifelines(path, how == OpenMode.TO_LOOK ? look(path) : open(path, database));
                    OPEN.put(path, lifelines);
                }
                lifelines.users++;
                return lifelines;
            } catch (IOException e) {
                throw new StoreFailure(
                        StoreFailure.Move.OPERATOR, "cannot open " + database + "-lock: " + e.getMessage(), e);
            }
        }
    }

    /** Whether anybody in this process uses those beside {@code database}, and so has the file itself open. */
    static boolean areOpenHere(Path database) {
        synchronized (OPEN) {
            try {
                return OPEN.containsKey(beside(database.toRealPath(), LOCK));
            } catch (IOException e) {
                return false;
            }
        }
    }

    private static Path beside(Path real, String what) {
        return real.resolveSibling(real.getFileName() + what);
    }

    /** One user less. A held lifeline is a user too: a store that is closed while an act still runs does not cut it. */
    void close() {
        synchronized (OPEN) {
            users--;
            if (users == 0) {
                OPEN.remove(path, this);
                try {
                    if (channel != null) {
                        channel.close();
                    }
                } catch (IOException e) {
                    throw new StoreFailure(StoreFailure.Move.OPERATOR, "cannot close " + path, e);
                }
            }
        }
    }

    /** Holds {@code worker}'s byte until closed, or until this process is gone. */
    Store.Lifeline hold(long worker) {
        if (channel == null) {
            throw new StoreFailure(StoreFailure.Move.OPERATOR, path + " was opened to look at it", null);
        }
        try {
            // tryLock, because an interrupt inside lock() would close the channel and with it everybody's lifeline.
            var lock = channel.tryLock(worker, 1, false);
            if (lock == null) {
                throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "worker " + worker + " is there already", null);
            }
            synchronized (OPEN) {
                users++;
            }
            var held = new AtomicBoolean(true);
            return () -> {
                if (held.compareAndSet(true, false)) {
                    release(lock);
                    close();
                }
            };
        } catch (IOException e) {
            throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "cannot lock " + path + ": " + e.getMessage(), e);
        }
    }

    /** Whether nobody holds {@code worker}'s byte any more. */
    boolean gone(long worker) {
        if (channel == null) {
            return false;
        }
        try {
            var lock = channel.tryLock(worker, 1, false);
            if (lock == null) {
                return false;
            }
            release(lock);
            return true;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            return false;
        }
    }

    private static void release(FileLock lock) {
        try {
            lock.release();
        } catch (ClosedChannelException e) {
            // With the channel all its locks are gone.
        } catch (IOException e) {
            throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "cannot unlock a lifeline: " + e.getMessage(), e);
        }
    }
}
