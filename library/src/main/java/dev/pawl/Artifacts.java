package dev.pawl;

import dev.pawl.journal.Artifact;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads artifacts back. A file must still be what it was. */
final class Artifacts {
    private Artifacts() {}

    static Optional<byte[]> read(Store store, StoredJob job, Place place) {
        var kept = store.journal(job.id()).stream()
                .filter(line -> line.resubmission() == job.standing().resubmission())
                .map(line -> line.entry())
                .filter(entry ->
                        entry instanceof Entry.ArtifactKept && entry.place().equals(place))
                .map(entry -> ((Entry.ArtifactKept) entry).artifact())
                .findFirst();
        if (kept.isEmpty()) {
            return Optional.empty();
        }
        var path = kept.get().path();
        return path == null
                ? store.artifact(job.id(), place).map(Bytes::toArray)
                : Optional.of(file(place, kept.get(), Path.of(path)));
    }

    private static byte[] file(Place place, Artifact artifact, Path path) {
        try {
            var bytes = Files.readAllBytes(path);
            if (!Bytes.copyOf(bytes).sha256().equals(artifact.sha256())) {
                throw new IllegalStateException("artifact " + place + " is no longer what it was: " + path
                        + " has changed since the job kept its hash");
            }
            return bytes;
        } catch (IOException e) {
            throw new IllegalStateException("artifact " + place + " cannot be read from " + path, e);
        }
    }
}
