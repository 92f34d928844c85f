package dev.pawl.store.postgres;

import dev.pawl.store.Applied;
import dev.pawl.store.Claimed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What an exchange in bulk has told so far. Not thread-safe. */
final class BulkOutcome {
    private final @Nullable Applied[] applied;
    private final List<Claimed> claimed = new ArrayList<>();
    private boolean claimAnswered;
    private boolean anybodyIdle;
    private boolean leavesBehind;
    private boolean handedBack;
    private @Nullable Instant next;
    private @Nullable Instant now;

    BulkOutcome(int changes) {
        applied = new Applied[changes];
    }

    /** The database refused something: nothing was done. */
    void nothing() {
        Arrays.fill(applied, null);
        claimed.clear();
        claimAnswered = false;
        anybodyIdle = false;
        leavesBehind = false;
        handedBack = false;
        next = null;
        now = null;
    }

    void applied(int index, Applied what) {
        applied[index] = what;
    }

    /** What became of the change at {@code index}; null when it was left alone. */
    @Nullable
    Applied applied(int index) {
        return applied[index];
    }

    /** What was claimed, with submissions or by wish. */
    List<Claimed> claimed() {
        return claimed;
    }

    /** The wish was met as far as it could be. */
    void claimAnswered(@Nullable Instant nextDue) {
        claimAnswered = true;
        next = nextDue;
    }

    /** Whether the wish was met; when not, it has to be met the slow way. */
    boolean claimAnswered() {
        return claimAnswered;
    }

    void leavesBehind(boolean more) {
        leavesBehind = more;
    }

    /** Whether there was more to claim than was wanted. */
    boolean leavesBehind() {
        return leavesBehind;
    }

    void handedBack() {
        handedBack = true;
    }

    /** Whether somebody may take now what was somebody else's. */
    boolean anyHandedBack() {
        return handedBack;
    }

    void anybodyIdle(boolean is) {
        anybodyIdle = is;
    }

    /** Whether somebody may wait for what was submitted. */
    boolean anybodyIdle() {
        return anybodyIdle;
    }

    /** When the next job comes due. */
    @Nullable
    Instant next() {
        return next;
    }

    void now(long millis) {
        if (now == null) {
            now = Instant.ofEpochMilli(millis);
        }
    }

    /** What the store's clock said; null when it said nothing. */
    @Nullable
    Instant nowOrNull() {
        return now;
    }

    Instant now() {
        return Objects.requireNonNull(now);
    }
}
