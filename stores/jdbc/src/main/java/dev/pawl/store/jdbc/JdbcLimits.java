package dev.pawl.store.jdbc;

import dev.pawl.job.Handling;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** How much room the limits of queues and lanes leave, within one transaction. Not thread-safe. */
public final class JdbcLimits {
    private final Statements sql;
    private final Map<String, Integer> queueRoom = new HashMap<>();
    private final Map<String, Integer> laneRunning = new HashMap<>();
    private final Set<String> full = new TreeSet<>();

    /** As the rows stand now. */
    public JdbcLimits(Statements sql) throws SQLException {
        this.sql = sql;
        sql.each("select name, most from pawl.queue", row -> queueRoom.put(row.getString(1), row.getInt(2)));
        if (!queueRoom.isEmpty()) {
            var running = new HashMap<String, Integer>();
            sql.each(
                    "select queue, count(*) from pawl.job join pawl.claim_group on claim_group.id = job.claim_group where owner <> 0 group by queue",
                    row -> running.put(row.getString(1), row.getInt(2)));
            running.forEach((queue, many) -> queueRoom.computeIfPresent(queue, (name, most) -> most - many));
        }
    }

    /** Takes a place for a job, if there is one. */
    public boolean take(String queue, Handling.@Nullable Lane lane) throws SQLException {
        if (!hasRoom(queue)) {
            return false;
        }
        if (lane != null) {
            if (running(lane.key()) >= lane.most()) {
                full.add(lane.key());
                return false;
            }
            laneRunning.merge(lane.key(), 1, Integer::sum);
        }
        queueRoom.computeIfPresent(queue, (name, room) -> room - 1);
        return true;
    }

    /** Whether another job of {@code queue} may run. */
    public boolean hasRoom(String queue) {
        return queueRoom.getOrDefault(queue, 1) > 0;
    }

    /** Limits how many jobs of a queue run at once, from the next claim on. */
    static Applied limit(Statements sql, Change.LimitQueue change) throws SQLException {
        sql.run(
                "insert into pawl.queue (name, most) values (?, ?) on conflict (name) do update set most = excluded.most",
                change.queue(),
                change.most());
        return Applied.now();
    }

    private int running(String lane) throws SQLException {
        var known = laneRunning.get(lane);
        if (known == null) {
            known = Objects.requireNonNull(sql.one(
                    "select count(*) from pawl.job where lane = ? and lane <> '' and owner <> 0",
                    row -> row.getInt(1),
                    lane));
            laneRunning.put(lane, known);
        }
        return known;
    }

    /** Whether there are limits that had a say in it. */
    boolean any() {
        return !queueRoom.isEmpty() || !laneRunning.isEmpty();
    }

    /** The lanes that were found full. */
    public List<String> full() {
        return List.copyOf(full);
    }
}
