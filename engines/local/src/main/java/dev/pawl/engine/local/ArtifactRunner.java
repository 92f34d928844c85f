package dev.pawl.engine.local;

import dev.pawl.job.Named;
import dev.pawl.journal.Artifact;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.Entry;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Keeps what is too large for a result: bytes beside the journal, or a file with its hash. */
final class ArtifactRunner {
    private static final TypeToken<Artifact> ARTIFACT = TypeToken.of(Artifact.class);

    private final Scope scope;
    private final RunJournal journal;

    ArtifactRunner(Scope scope) {
        this.scope = scope;
        this.journal = scope.context().journal();
    }

    Artifact keep(Named name, String mediaType, byte[] bytes) {
        if (bytes.length > Artifact.MOST_BYTES) {
            throw new IllegalArgumentException("artifact " + name.name() + " has " + bytes.length
                    + " bytes; the store keeps at most " + Artifact.MOST_BYTES + ": write a file and give its path");
        }
        var place = scope.meet(name);
        var known = known(name, place);
        return known == null ? store(place, mediaType, bytes) : known;
    }

    Artifact keep(Named name, String mediaType, Path file) {
        var place = scope.meet(name);
        var known = known(name, place);
        if (known != null) {
            return known;
        }
        try {
            if (Files.size(file) <= Artifact.MOST_BYTES) {
                return store(place, mediaType, Files.readAllBytes(file));
            }
            var absolute = file.toAbsolutePath().normalize();
            var artifact = new Artifact(mediaType, Files.size(file), hash(absolute), absolute.toString());
            scope.record(new Entry.ArtifactKept(place, artifact));
            return artifact;
        } catch (IOException e) {
            throw new UncheckedIOException("artifact " + place + " cannot be read from " + file, e);
        }
    }

    private @Nullable Artifact known(Named name, Place place) {
        var history = scope.recall(name, place);
        var known = Scope.known(history);
        if (known == null) {
            scope.beginsNew();
            return null;
        }
        return Replay.of(scope, Scope.recorded(history, place), known, ARTIFACT);
    }

    private Artifact store(Place place, String mediaType, byte[] bytes) {
        var kept = Bytes.copyOf(bytes);
        var artifact = new Artifact(mediaType, kept.size(), kept.sha256(), null);
        var entries = scope.taken();
        entries.add(new Entry.ArtifactKept(place, artifact));
        journal.keep(entries, kept);
        return artifact;
    }

    private static String hash(Path file) throws IOException {
        try (var in = new DigestInputStream(Files.newInputStream(file), sha256())) {
            in.transferTo(java.io.OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
