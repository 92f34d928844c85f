package dev.pawl.store.sqlite;

import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.Change;
import dev.pawl.store.Wanted;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A process of its own that submits a job and stays until it is killed. */
final class SubmitsAndStays {
    private SubmitsAndStays() {}

    /** Argument: the file. */
    public static void main(String[] arguments) throws IOException {
        try (var store = SqliteStore.open(Path.of(arguments[0]), Time.system())) {
            store.exchange(List.of(new Change.SubmitJob(new Identity("w", Key.of(1)), "{}", null)), Wanted.NOTHING);
            System.out.println("submitted");
            System.in.read();
        }
    }
}
