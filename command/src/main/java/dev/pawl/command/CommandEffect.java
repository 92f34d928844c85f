package dev.pawl.command;

import dev.pawl.command.Folder.Sight;
import dev.pawl.effect.Attempt;
import dev.pawl.failure.EndedInDoubt;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.OutOfReach;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import java.io.IOException;
import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A command that touches the world: laid out before its attempt begins, and found again by whoever takes the job over. */
final class CommandEffect implements Job.Outliving<CommandCall.Request, JsonNode> {
    private final Workplace workplace;
    private final CommandRunner runner;
    private final Job job;
    private final Named name;
    private final CommandCall call;
    private volatile @Nullable Attempt last;

    CommandEffect(Workplace workplace, CommandRunner runner, Job job, Named name, CommandCall call) {
        this.workplace = workplace;
        this.runner = runner;
        this.job = job;
        this.name = name;
        this.call = call;
    }

    /** The attempt that was made, or found, last; null when there was none. */
    @Nullable
    Attempt last() {
        return last;
    }

    @Override
    public void prepare(CommandCall.Request request, Attempt attempt) throws IOException {
        try {
            var folder = workplace.folders().fresh(attempt, Folders.nameOf(attempt));
            folder.prepare(CommandEnvironment.of(job, name, call, attempt, folder), call.inputBytes(), call.reading());
        } catch (FileSystemException e) {
            // Its message is a path, and often nothing else.
            throw new IOException(
                    e.getReason() == null
                            ? e.getMessage() + " cannot be made; is the disk full, and the folder yours?"
                            : e.getMessage(),
                    e);
        }
    }

    @Override
    public JsonNode act(CommandCall.Request request, Attempt attempt) throws Exception {
        last = attempt;
        return ended(workplace.folders().fresh(attempt, Folders.nameOf(attempt)), attempt, call.order());
    }

    @Override
    public JsonNode pickUp(CommandCall.Request request, Attempt attempt) throws Exception {
        last = attempt;
        var found = workplace.folders().find(attempt, Folders.nameOf(attempt)).orElse(null);
        if (found == null) {
            throw new OutOfReach("nothing is left of it on this machine");
        }
        return found.distance() == Start.Distance.HERE ? ended(found.folder(), attempt, null) : fromAnotherStart(found);
    }

    private JsonNode ended(Folder folder, Attempt attempt, @Nullable Order order) throws Exception {
        return switch (runner.awaited(folder, attempt, call, order)) {
            case Sight.Ended ended -> {
                if (order == null) {
                    attempt.foundEnded();
                }
                yield runner.reader(folder, call).ofEffect(job, ended.exit());
            }
            case Sight.Abandoned ignored -> throw runner.neverStarted();
            case Sight.Absent ignored -> throw new OutOfReach("its folder is gone, and nobody knows how it ended");
            case Sight.Lost ignored -> {
                runner.keepWhatItWrote(folder, call, job);
                throw lost();
            }
            case Sight.Prepared ignored -> throw lost();
            case Sight.Running ignored -> throw lost();
        };
    }

    /** What another start of a machine has begun: if it was this machine, it runs no more; what it wrote last may be lost. */
    private JsonNode fromAnotherStart(Folders.FoundFolder found) throws Exception {
        var folder = found.folder();
        return switch (folder.look()) {
            case Sight.Ended ended -> runner.reader(folder, call).ofEffect(job, ended.exit());
            case Sight.Abandoned ignored -> throw new NotSent("it was never started");
            case Sight.Prepared ignored -> throw notSeen(found);
            case Sight.Running ignored -> throw elsewhere(found);
            case Sight.Lost ignored -> {
                folder.maskAll(call.reading().secrets());
                runner.keepWhatItWrote(folder, call, job);
                throw notSeen(found);
            }
            case Sight.Absent ignored -> throw elsewhere(found);
        };
    }

    private Exception notSeen(Folders.FoundFolder found) {
        return found.distance() == Start.Distance.EARLIER ? restarted() : elsewhere(found);
    }

    /** Whoever sees its files does not see it. */
    private OutOfReach elsewhere(Folders.FoundFolder found) {
        var host = found.start().host();
        if (found.distance() == Start.Distance.EARLIER) {
            return new OutOfReach("it is seen to run, although this machine was started again: another machine of"
                    + " the same name shares its folder");
        }
        return new OutOfReach(
                host.isEmpty()
                        ? "it was begun before this machine was started, or on another one, and may still run there"
                        : "it was begun on another machine, " + host + ", and may still run there");
    }

    private EndedInDoubt restarted() {
        return new EndedInDoubt("the machine was started again while it may have run");
    }

    private OutOfReach lost() {
        return new OutOfReach("its minder was killed, and nobody knows how it ended");
    }
}
