package dev.pawl.command;

import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The process that minds commands: it is told their folders, one a line, and says each that has ended. It outlives whoever started it: when
 * nobody tells it anything more, it goes once its last command has ended. A polite signal does not end it before.
 */
public final class Minder {
    private final Time time = Time.system();
    private final AtomicInteger minded = new AtomicInteger();
    private final Signal ended = new Signal();
    private final PrintStream told =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private Minder() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws IOException {
        var minder = new Minder();
        Runtime.getRuntime().addShutdownHook(new Thread(minder::untilNoneIsLeft));
        minder.listen();
        minder.untilNoneIsLeft();
    }

    private void listen() throws IOException {
        try (var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (var line = orders.readLine(); line != null; line = orders.readLine()) {
                var folder = Folder.at(Path.of(line));
                minded.incrementAndGet();
                Thread.ofPlatform().daemon().start(() -> mind(folder));
            }
        }
    }

    private void mind(Folder folder) {
        try {
            new Minding(folder, time).run();
        } catch (IOException | OverlappingFileLockException e) {
            System.err.println("pawl: " + folder.path() + " cannot be minded: " + e);
        } finally {
            told.println(folder.path());
            minded.decrementAndGet();
            ended.raise();
        }
    }

    private void untilNoneIsLeft() {
        while (true) {
            var seen = ended.count();
            if (minded.get() == 0) {
                return;
            }
            try {
                ended.await(time, seen, Duration.ofDays(1));
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
