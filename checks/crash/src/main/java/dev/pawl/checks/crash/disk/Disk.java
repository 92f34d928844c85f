package dev.pawl.checks.crash.disk;

import dev.pawl.checks.crash.disk.Trace.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A disk that forgets: what was written but not synced may be there or not. Of what is not synced the first so many writes are, in their order,
 * and the last of them perhaps in part. A file's name is durable with its first sync. What was not synced when a sync failed never comes to the
 * disk, whatever is synced later, although whoever reads the file sees it.
 */
final class Disk {
    private final Map<String, byte[]> synced = new HashMap<>();
    private final Map<String, byte[]> written = new HashMap<>();
    private byte[] beforeLast = new byte[0];

    /** A disk with nothing on it. */
    Disk() {}

    /** A disk on which these files are safe. */
    Disk(Map<String, byte[]> files) {
        synced.putAll(files);
        written.putAll(files);
    }

    /** Does what an event says. */
    void apply(Event event) {
        switch (event) {
            case Event.Wrote wrote -> {
                beforeLast = of(written, wrote.file());
                written.put(wrote.file(), write(beforeLast, wrote, wrote.bytes().size()));
            }
            case Event.Cut cut ->
                written.put(cut.file(), Arrays.copyOf(of(written, cut.file()), Math.toIntExact(cut.length())));
            case Event.Synced sync -> synced.put(sync.file(), of(written, sync.file()));
            case Event.SyncFailed failed -> {
                if (synced.containsKey(failed.file())) {
                    written.put(failed.file(), of(synced, failed.file()));
                } else {
                    written.remove(failed.file());
                }
            }
            case Event.Removed removed -> {
                written.remove(removed.file());
                synced.remove(removed.file());
            }
            case Event.Acknowledged ignored -> {}
        }
    }

    private static byte[] of(Map<String, byte[]> files, String file) {
        return files.getOrDefault(file, new byte[0]);
    }

    /** The images that a power failure right after {@code last} can leave: only what is synced; all that is written; each with the last write torn. */
    List<Map<String, byte[]>> images(Event last) {
        var images = new ArrayList<Map<String, byte[]>>();
        images.add(Map.copyOf(synced));
        images.add(Map.copyOf(written));
        if (last instanceof Event.Wrote wrote && wrote.bytes().size() > 1) {
            var half = wrote.bytes().size() / 2;
            images.add(with(written, wrote.file(), write(beforeLast, wrote, half)));
            images.add(with(synced, wrote.file(), write(of(synced, wrote.file()), wrote, half)));
        }
        return images;
    }

    private static Map<String, byte[]> with(Map<String, byte[]> image, String file, byte[] content) {
        var other = new HashMap<>(image);
        other.put(file, content);
        return other;
    }

    private static byte[] write(byte[] before, Event.Wrote wrote, int length) {
        var end = Math.toIntExact(wrote.offset()) + length;
        var after = Arrays.copyOf(before, Math.max(before.length, end));
        System.arraycopy(wrote.bytes().toArray(), 0, after, Math.toIntExact(wrote.offset()), length);
        return after;
    }

    /** The files in a folder. */
    static Map<String, byte[]> files(Path folder) throws IOException {
        var files = new HashMap<String, byte[]>();
        try (var paths = Files.list(folder)) {
            for (var path : paths.toList()) {
                files.put(path.getFileName().toString(), Files.readAllBytes(path));
            }
        }
        return files;
    }

    /** Puts an image into a folder. */
    static void lay(Map<String, byte[]> image, Path folder) throws IOException {
        for (var file : image.entrySet()) {
            Files.write(folder.resolve(file.getKey()), file.getValue());
        }
    }
}
