package dev.pawl.command;

import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The process that minds commands. It is told what to do one a line: {@code mind FOLDER}, {@code show FOLDER} to send on what the command
 * writes, {@code signal NAME FOLDER}; {@code hide BASE64…} says which secrets of the command that is named next are masked in whatever it writes. It says {@code ended 0 FOLDER}, and of those that are shown {@code out LENGTH FOLDER} or
 * {@code err LENGTH FOLDER}, followed by so many bytes. It outlives whoever started it: when nobody tells it anything more, it goes once its
 * last command has ended. A polite signal does not end it before.
 */
public final class Minder {
    private final Time time = Time.system();
    private final Map<Path, Minding> minded = new ConcurrentHashMap<>();
    private final Signal ended = new Signal();
    private final OutputStream told = new FileOutputStream(FileDescriptor.out);
    private boolean nobodyListens;

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
            var hidden = Secrets.NONE;
            for (var line = orders.readLine(); line != null; line = orders.readLine()) {
                var words = line.split(" ", 2);
                switch (words[0]) {
                    case "hide" -> hidden = secrets(words[1]);
                    case "mind" -> mind(Path.of(words[1]), false, hidden);
                    case "show" -> mind(Path.of(words[1]), true, hidden);
                    case "signal" -> signal(words[1].split(" ", 2));
                    default -> System.err.println("pawl: a minder cannot " + words[0]);
                }
                hidden = words[0].equals("hide") ? hidden : Secrets.NONE;
            }
        }
    }

    /** They come by the pipe alone: whoever lists processes or reads folders does not see them. */
    private static Secrets secrets(String encoded) {
        return Secrets.of(Stream.of(encoded.split(" "))
                .map(one -> new String(Base64.getDecoder().decode(one), StandardCharsets.UTF_8))
                .toList());
    }

    private void mind(Path folder, boolean show, Secrets hidden) {
        var minding = new Minding(Folder.at(folder), time, show ? relay(folder) : Relay.NOBODY, hidden);
        minded.put(folder, minding);
        Thread.ofPlatform().daemon().start(() -> mind(folder, minding));
    }

    private void mind(Path folder, Minding minding) {
        try {
            minding.run();
        } catch (IOException | OverlappingFileLockException e) {
            System.err.println("pawl: " + folder + " cannot be minded: " + e);
        } finally {
            tell("ended", folder, new byte[0], 0);
            minded.remove(folder);
            ended.raise();
        }
    }

    private void signal(String[] words) {
        var minding = minded.get(Path.of(words[1]));
        if (minding != null) {
            minding.signal(words[0]);
        }
    }

    private Relay relay(Path folder) {
        return new Relay() {
            @Override
            public void output(byte[] bytes, int length) {
                tell("out", folder, bytes, length);
            }

            @Override
            public void error(byte[] bytes, int length) {
                tell("err", folder, bytes, length);
            }
        };
    }

    private synchronized void tell(String what, Path folder, byte[] bytes, int length) {
        if (nobodyListens) {
            return;
        }
        try {
            told.write((what + " " + length + " " + folder + "\n").getBytes(StandardCharsets.UTF_8));
            told.write(bytes, 0, length);
            told.flush();
        } catch (IOException e) {
            nobodyListens = true;
        }
    }

    private void untilNoneIsLeft() {
        while (true) {
            var seen = ended.count();
            if (minded.isEmpty()) {
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
