package dev.pawl.desk;

import dev.pawl.Pawl;
import dev.pawl.command.Commands;
import dev.pawl.command.Folder;
import dev.pawl.job.JobState;
import dev.pawl.look.StoredJob;
import dev.pawl.text.Visible;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Ends the commands of a job that run on this machine, with those of the jobs it called, and says in a sentence what came of it. */
final class EndedCommands {
    private static final Duration LOOK = Duration.ofMillis(100);

    /** Ten seconds are a command's own, when it is asked politely; then it is killed. */
    private static final Duration LONGEST = Duration.ofSeconds(20);

    /** So long does whoever works on it need to say what a killed command has come to. */
    private static final Duration TO_BE_TOLD = Duration.ofSeconds(20);

    private final Pawl pawl;
    private final List<Path> roots;
    private final Time time = Time.system();

    EndedCommands(Pawl pawl, List<Path> roots) {
        this.pawl = pawl;
        this.roots = roots;
    }

    String of(StoredJob job) throws IOException {
        var running = running(job);
        if (running.isEmpty()) {
            return "no command of it runs on this machine" + elsewhere(job);
        }
        var names = new ArrayList<String>();
        for (var folder : running) {
            names.add(folder.attempt());
            folder.askToEnd();
        }
        var ended = wait(LONGEST, () -> running.stream().noneMatch(EndedCommands::runs));
        var what = String.join(" and ", names);
        if (!ended) {
            return what + " was asked to end and has not ended yet";
        }
        wait(TO_BE_TOLD, () -> {
            var now = pawl.find(job.identity()).orElseThrow();
            return now.state() == JobState.PAUSED
                    || now.state().finished()
                    || !pawl.operator().isAttended(now);
        });
        return what + " was ended";
    }

    private List<Folder> running(StoredJob job) throws IOException {
        var running = new ArrayList<>(Commands.running(roots, job.identity()));
        for (var called : pawl.operator().calledBy(job)) {
            running.addAll(running(called));
        }
        return running;
    }

    private static boolean runs(Folder folder) {
        try {
            return folder.look() instanceof Folder.Sight.Running;
        } catch (IOException e) {
            // Whoever has read its answer has swept it away.
            return false;
        }
    }

    private String elsewhere(StoredJob job) {
        var now = pawl.find(job.identity()).orElseThrow();
        return now.state() != JobState.RUNNING
                ? ""
                : pawl.operator().workers().stream()
                        .filter(worker -> worker.enlisted()
                                && worker.id() == now.standing().owner())
                        .findFirst()
                        .map(worker -> "; worker " + Visible.of(worker.name())
                                + " has it: on its machine the same command ends what runs there")
                        .orElse("");
    }

    /** Waits until {@code so}, for a while. Returns whether it is. */
    private boolean wait(Duration longest, BooleanSupplier so) {
        var until = time.nanos() + longest.toNanos();
        while (!so.getAsBoolean()) {
            if (time.nanos() >= until) {
                return false;
            }
            try {
                time.await(LOOK);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }
}
