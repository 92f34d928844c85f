package dev.pawl.checks.crash;

import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.Change;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Submits jobs one after another and says each one that was acknowledged; on trouble it says what it was told and asks again. */
public final class Acknowledger {
    /** What the jobs' workflow is called. */
    public static final String WORKFLOW = "acknowledged";

    private static final String INPUT = "\"" + "x".repeat(2_000) + "\"";

    private final Path file;
    private final int many;
    private final int patience;
    private int done;
    private int troubles;

    private Acknowledger(Path file, int many, int patience) {
        this.file = file;
        this.many = many;
        this.patience = patience;
    }

    /** Arguments: store file, number of jobs, and how much trouble in a row is enough; for ever, when that is not said. */
    public static void main(String[] arguments) throws InterruptedException {
        var enough = arguments.length > 2 ? Integer.parseInt(arguments[2]) : Integer.MAX_VALUE;
        var acknowledger = new Acknowledger(Path.of(arguments[0]), Integer.parseInt(arguments[1]), enough);
        while (acknowledger.goesOn()) {
            acknowledger.open();
        }
        System.out.println(acknowledger.done == acknowledger.many ? "finished" : "gave up");
    }

    private boolean goesOn() {
        return done < many && troubles < patience;
    }

    private void open() throws InterruptedException {
        try (var store = SqliteStore.open(file, Time.system())) {
            while (goesOn()) {
                submit(store);
            }
        } catch (StoreFailure failure) {
            trouble(failure);
        }
    }

    private void submit(SqliteStore store) throws InterruptedException {
        try {
            store.exchange(List.of(job(done + 1)), Wanted.NOTHING);
            done++;
            troubles = 0;
            System.out.println("ack " + done);
        } catch (StoreFailure failure) {
            trouble(failure);
        }
    }

    /** The submission of job {@code number}. */
    public static Change.SubmitJob job(int number) {
        return new Change.SubmitJob(new Identity(WORKFLOW, Key.of(number)), INPUT, null);
    }

    private void trouble(StoreFailure failure) throws InterruptedException {
        troubles++;
        System.out.println("trouble " + failure.getMessage());
        new Signal().await(Time.system(), 0, Duration.ofMillis(100));
    }
}
