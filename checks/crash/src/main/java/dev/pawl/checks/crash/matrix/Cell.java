package dev.pawl.checks.crash.matrix;

import dev.pawl.checks.crash.matrix.Trip.How;
import dev.pawl.checks.crash.matrix.Trip.When;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One cell of the matrix.
 *
 * @param row the kind of step
 * @param trip where and how the process is tripped up
 * @param again whether whoever comes to the rescue is tripped up too
 */
record Cell(Row row, Trip trip, boolean again) {
    /** What every process does, whatever its job. */
    private static final List<String> EVERYWHERE = List.of("Enlist", "SubmitJob", "Beat", "TakeOver", "Retire");

    /** What happens only once an attempt is in doubt. */
    private static final List<String> IN_DOUBT = List.of("Ask", "Decide");

    /** Whom somebody must die for first, so that there is something to trip over; none when nobody has to. */
    List<Trip> prelude() {
        if (trip.change().equals("TakeOver")) {
            return LEAVING.stream()
                    .map(change -> new Trip(change, When.BEFORE, How.KILL))
                    .toList();
        }
        return row == Row.NONE && IN_DOUBT.contains(trip.change())
                ? List.of(new Trip("AnswerAttempt", When.BEFORE, How.KILL))
                : List.of();
    }

    /** What a process does at the end of its part, whichever comes first: there a job can be taken away from it. */
    private static final List<String> LEAVING =
            List.of("FinishJob", "ReleaseJob", "Ask", "WaitAtGateIfOwned", "CallIfOwned");

    /** The cells that {@code made}, the changes that each row makes, come to. */
    static List<Cell> all(Map<Row, Set<String>> made) {
        var cells = new ArrayList<Cell>();
        made.forEach((row, kinds) -> {
            var changes = new TreeSet<>(kinds);
            changes.addAll(EVERYWHERE);
            changes.addAll(row == Row.NONE ? IN_DOUBT : List.of());
            for (var change : changes) {
                for (var when : When.values()) {
                    for (var how : How.values()) {
                        cells.add(new Cell(row, new Trip(change, when, how), false));
                        cells.add(new Cell(row, new Trip(change, when, how), true));
                    }
                }
            }
        });
        return cells;
    }

    /** A process froze between its last check and its send. */
    static List<Cell> frozenBeforeSending() {
        var frozen = new Trip(Actor.SEND, When.BEFORE, How.STOP);
        return List.of(new Cell(Row.NONE, frozen, false), new Cell(Row.FENCED, frozen, false));
    }

    @Override
    public String toString() {
        return row + ", " + trip.words() + (again ? ", and again during recovery" : "");
    }
}
