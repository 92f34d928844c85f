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

    private Acknowledger() {}

    /** Arguments: store file, number of jobs. */
    public static void main(String[] arguments) throws InterruptedException {
        var many = Integer.parseInt(arguments[1]);
        var input = "\"" + "x".repeat(2_000) + "\"";
        try (var store = SqliteStore.open(Path.of(arguments[0]), Time.system())) {
            for (var i = 1; i <= many; ) {
                try {
                    store.exchange(
                            List.of(new Change.SubmitJob(new Identity("acknowledged", Key.of(i)), input, null)),
                            Wanted.NOTHING);
                    System.out.println("ack " + i);
                    i++;
                } catch (StoreFailure failure) {
                    System.out.println("trouble " + failure.getMessage());
                    new Signal().await(Time.system(), 0, Duration.ofMillis(100));
                }
            }
        }
        System.out.println("finished");
    }
}
