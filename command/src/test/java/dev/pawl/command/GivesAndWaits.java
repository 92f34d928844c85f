package dev.pawl.command;

import dev.pawl.time.Time;
import java.nio.file.Path;
import java.time.Duration;

/** A process that wants a command run, and is killed while it waits. */
final class GivesAndWaits {
    private GivesAndWaits() {}

    /** Arguments: where the minder's log goes, and the folder. */
    public static void main(String[] arguments) throws Exception {
        try (var minders = new Minders(Time.system(), Path.of(arguments[0], "minder.log"))) {
            var folder = Folder.at(Path.of(arguments[1]));
            minders.give(folder);
            minders.await(folder, Duration.ofMinutes(5));
        }
    }
}
