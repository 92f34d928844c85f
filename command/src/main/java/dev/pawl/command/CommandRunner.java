package dev.pawl.command;

import dev.pawl.command.Folder.Sight;
import dev.pawl.effect.Attempt;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.OutOfReach;
import dev.pawl.failure.StillGoing;
import dev.pawl.job.Job;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Has commands started whose folders were laid out, and waits for their ends. Thread-safe. */
final class CommandRunner {
    private final Workplace workplace;
    private final Commands.Watcher watcher;
    private final Relay relay;

    CommandRunner(Workplace workplace, Commands.Watcher watcher, Relay relay) {
        this.workplace = workplace;
        this.watcher = watcher;
        this.relay = relay;
    }

    /**
     * Has it started, unless it was, and waits for its end.
     *
     * @param order what was laid into the folder just now; null when somebody else has done that, and only the folder knows
     */
    Sight awaited(Folder folder, Attempt attempt, CommandCall call, @Nullable Order order)
            throws IOException, OutOfReach, StillGoing {
        try {
            if (order != null || folder.look() instanceof Sight.Prepared) {
                start(folder, attempt, call, order == null ? folder.order() : order);
            }
            var sight = workplace.minders().await(folder, attempt.left());
            if (sight instanceof Sight.Lost) {
                folder.maskAll(call.reading().secrets());
            }
            if (sight instanceof Sight.Prepared && folder.abandon()) {
                return new Sight.Abandoned();
            }
            if (sight instanceof Sight.Prepared || sight instanceof Sight.Running) {
                throw new StillGoing("it still runs although its time is up");
            }
            return sight;
        } catch (InterruptedException e) {
            if (folder.look() instanceof Sight.Running) {
                throw new StillGoing("it still runs; whoever takes the job over goes on with it");
            }
            throw new OutOfReach("nobody waits for it here any more");
        }
    }

    /** Has a prepared command started; one that cannot be, or not in time, never will be. */
    private void start(Folder folder, Attempt attempt, CommandCall call, Order order) throws IOException {
        if (attempt.left().compareTo(order.timeout()) < 0) {
            refuse(folder, new NotSent("it was not started in time"));
            return;
        }
        attempt.ensureOwned();
        give(folder, call);
    }

    /** Gives it to a minder. Whatever keeps it from being given keeps it from ever being started. */
    void give(Folder folder, CommandCall call) throws IOException {
        try {
            watcher.begins(folder.path());
            workplace.minders().give(folder, relay, call.reading().secrets());
        } catch (NotSent refused) {
            refuse(folder, refused);
        } catch (IOException | RuntimeException e) {
            refuse(folder, new NotSent("it could not be given to a minder: " + e.getMessage(), null, e));
        }
    }

    NotSent neverStarted() throws IOException {
        return new NotSent("it was never started" + workplace.minders().lastWords());
    }

    /** Throws {@code why}, unless somebody has started it all the same. */
    private static void refuse(Folder folder, NotSent why) throws IOException {
        if (folder.abandon()) {
            throw why;
        }
    }

    /** Whoever is asked what became of it sees at least what it wrote. */
    void keepWhatItWrote(Folder folder, CommandCall call, Job job) {
        reader(folder, call).keepLog(job);
    }

    /** Reads how a command has ended, and what it has said. */
    ExitReader reader(Folder folder, CommandCall call) {
        return new ExitReader(folder, call.reading(), watcher);
    }
}
