package dev.pawl.checks.crash.matrix;

import dev.pawl.checks.crash.Jvm;
import dev.pawl.checks.crash.Tally;
import dev.pawl.checks.crash.matrix.Trip.How;
import dev.pawl.checks.crash.matrix.Trip.When;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs one cell with real processes: one that is tripped up, those that come to the rescue, and the judge. */
final class Trial {
    private static final int LONGEST_SECONDS = 120;
    private static final String TRIPPED = "tripped";
    private static final String FINISHED = "finished ";
    static final String BLOCKED = "blocked";
    private static final int MOST_TRIES = 10;

    private static final ScheduledExecutorService WATCH = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("matrix-watch").factory());

    private final Path folder;
    private final Cell cell;
    private @Nullable Jvm victim;

    Trial(Path folder, Cell cell) {
        this.folder = folder;
        this.cell = cell;
    }

    /** Runs a row without any trouble. Returns the kinds of change that it makes. */
    static Set<String> rehearse(Path folder, Row row) throws IOException, InterruptedException {
        var trial = new Trial(folder, new Cell(row, Trip.NONE, false));
        try (var tally = new Tally();
                var actor = trial.actor(tally, 0, List.of())) {
            var said = trial.until(actor, FINISHED);
            actor.ends(LONGEST_SECONDS);
            return Set.of(said.substring(FINISHED.length()).split(","));
        }
    }

    Verdict run() throws IOException, InterruptedException {
        try (var tally = new Tally()) {
            var count = new Verdict.Count();
            try {
                if (!cell.prelude().isEmpty()) {
                    killed(tally, cell.prelude());
                }
                suffer(tally);
            } catch (IllegalStateException e) {
                count.stuck(String.valueOf(e.getMessage()));
            }
            new Inquest(folder, cell, tally).judge(count);
            return count.verdict();
        }
    }

    private void suffer(Tally tally) throws IOException, InterruptedException {
        switch (cell.trip().how()) {
            case KILL -> {
                killed(tally, List.of(cell.trip()));
                rescued(tally);
            }
            case STOP -> stopped(tally);
            case ERROR -> {
                try (var actor = actor(tally, cell.again() ? 2 : 1, List.of(cell.trip()))) {
                    until(actor, FINISHED);
                }
            }
        }
    }

    private void killed(Tally tally, List<Trip> trips) throws IOException, InterruptedException {
        try (var actor = actor(tally, 1, trips)) {
            until(actor, TRIPPED);
            actor.kill();
        }
    }

    /** Where the job had ended already, there is nothing left over which somebody could die. */
    private void killedIfAnythingIsLeft(Tally tally, List<Trip> trips) throws IOException, InterruptedException {
        try (var actor = actor(tally, 1, trips)) {
            var said = until(actor, TRIPPED, FINISHED, BLOCKED);
            if (said.equals(TRIPPED)) {
                actor.kill();
            } else if (said.equals(BLOCKED)) {
                letGoOfTheFile();
            }
        }
    }

    private void stopped(Tally tally) throws IOException, InterruptedException {
        try (var actor = actor(tally, 1, List.of(cell.trip()))) {
            until(actor, TRIPPED);
            actor.stopOutsideAWrite(folder.resolve("pawl.db"));
            victim = actor;
            rescued(tally);
            victim = null;
            actor.goOn();
            actor.tell("go on");
            until(actor, FINISHED);
        }
    }

    /** Somebody finishes the job; if the cell says so, somebody else dies over it first. */
    private void rescued(Tally tally) throws IOException, InterruptedException {
        if (cell.again()) {
            killedIfAnythingIsLeft(
                    tally,
                    List.of(
                            new Trip("TakeOver", When.AFTER, How.KILL),
                            new Trip(cell.trip().change(), cell.trip().when(), How.KILL)));
        }
        for (var tries = 1; ; tries++) {
            try (var actor = actor(tally, 0, List.of())) {
                if (!until(actor, FINISHED, BLOCKED).equals(BLOCKED) || tries == MOST_TRIES) {
                    return;
                }
            }
            letGoOfTheFile();
        }
    }

    /** A process that was stopped inside a call of SQLite's keeps everybody out of the file; whoever is told so lets it go on for a moment. */
    private void letGoOfTheFile() throws IOException, InterruptedException {
        var stopped = victim;
        if (stopped != null) {
            stopped.goOn();
            new Signal().await(Time.system(), 0, Duration.ofMillis(50));
            stopped.stopOutsideAWrite(folder.resolve("pawl.db"));
        }
    }

    private Jvm actor(Tally tally, int times, List<Trip> trips) throws IOException {
        var arguments = new ArrayList<String>();
        arguments.add(folder.toString());
        arguments.add(tally.address().toString());
        arguments.add(cell.row().name());
        arguments.add(String.valueOf(times));
        trips.forEach(trip -> arguments.add(trip.toString()));
        return Jvm.quickly(folder.resolveSibling("classes.jsa"), Actor.class, arguments.toArray(String[]::new));
    }

    /** The line that begins like one of these; a process that takes too long is killed, and says no more. */
    private String until(Jvm actor, String... beginnings) throws IOException {
        var tooLong = WATCH.schedule(actor::close, LONGEST_SECONDS, TimeUnit.SECONDS);
        try {
            return actor.linesUntil(line -> Stream.of(beginnings).anyMatch(line::startsWith))
                    .getLast();
        } catch (IllegalStateException e) {
            throw new IllegalStateException("nobody came to \"" + beginnings[0].strip() + "\": " + e.getMessage(), e);
        } finally {
            tooLong.cancel(false);
        }
    }
}
