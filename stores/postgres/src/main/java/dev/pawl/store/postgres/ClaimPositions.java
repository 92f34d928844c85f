package dev.pawl.store.postgres;

import dev.pawl.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How far claims have come in each claim group and priority. What was claimed leaves something behind in the index until the server cleans up, and who begins at the
 * front steps over all of it, a million times if need be: the next claim begins where the last one ended. Something may still turn up before that, from a
 * transaction that took long or was undone; therefore every now and then somebody begins at the front again. Thread-safe.
 */
final class ClaimPositions {
    private static final Duration FROM_THE_FRONT = Duration.ofSeconds(1);
    private static final Duration A_MOMENT = Duration.ofSeconds(1);
    private static final int MOST = 1_000;

    private record Where(long group, int priority) {}

    /**
     * Where a job stands in the order in which jobs are claimed; those in lanes are claimed otherwise.
     *
     * @param due when the job was due
     * @param seq its number
     */
    record Position(long due, long seq) {}

    private final Time time;
    private final Map<Where, Position> positions = new LinkedHashMap<>();
    private long lastFromTheFront;
    private Instant latest = Instant.EPOCH;

    ClaimPositions(Time time) {
        this.time = time;
        this.lastFromTheFront = time.nanos() - FROM_THE_FRONT.toNanos();
    }

    /** Whether it is time to begin at the front again; says so to one who asks. */
    synchronized boolean fromTheFront() {
        var now = time.nanos();
        if (now - lastFromTheFront < FROM_THE_FRONT.toNanos()) {
            return false;
        }
        lastFromTheFront = now;
        return true;
    }

    /**
     * What the store's clock says, or said a moment ago: exchanges are answered out of turn. When it goes back by more than that, what comes from now on is
     * due before what was claimed.
     */
    synchronized void told(Instant now) {
        if (now.isBefore(latest.minus(A_MOMENT))) {
            positions.clear();
            latest = now;
        } else if (now.isAfter(latest)) {
            latest = now;
        }
    }

    /**
     * A job was claimed there, and with it everything before it. What was due a moment ago may still be on its way into the table.
     *
     * @param now what the store's clock says
     */
    synchronized void claimed(long group, int priority, Position position, Instant now) {
        if (positions.size() >= MOST) {
            positions.clear();
        }
        var aMomentAgo = now.minus(A_MOMENT).toEpochMilli();
        positions.put(new Where(group, priority), position.due() < aMomentAgo ? position : new Position(aMomentAgo, 0));
    }

    /** Binds them as the four arrays of {@link Claiming#POSITIONS}; none when it begins at the front. */
    synchronized void bind(Binding binding, boolean fromTheFront) throws SQLException {
        var bound = fromTheFront ? Map.<Where, Position>of() : positions;
        List<Where> wheres = new ArrayList<>(bound.keySet());
        List<Position> at = new ArrayList<>(bound.values());
        binding.anyOf(wheres.stream().mapToLong(Where::group).toArray());
        binding.anyOf(wheres.stream().mapToInt(Where::priority).toArray());
        binding.anyOf(at.stream().mapToLong(Position::due).toArray());
        binding.anyOf(at.stream().mapToLong(Position::seq).toArray());
    }
}
