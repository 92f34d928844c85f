package dev.pawl.cli;

import dev.pawl.command.Folder;
import dev.pawl.desk.Words;
import dev.pawl.text.ShellWord;
import java.io.IOException;
import java.util.List;

/** Says which commands go on when the process that began them ends, and how to end them too. */
final class GoesOnAlone {
    private static final int MOST_NAMED = 5;

    private GoesOnAlone() {}

    static void tell(List<Folder> running, String store) throws IOException {
        for (var folder : running.subList(0, Math.min(running.size(), MOST_NAMED))) {
            var job = folder.job().orElse("");
            Warnings.say(folder.attempt() + " of " + job
                    + " still runs, and goes on without this process; the next run waits for"
                    + " its end, and \"pawl cancel --kill " + ShellWord.of(job) + " --note WHY" + store
                    + "\" ends it now");
        }
        if (running.size() > MOST_NAMED) {
            Warnings.say(Words.many(running.size() - MOST_NAMED, "more command") + " still running");
        }
    }
}
