package dev.pawl.cli;

import dev.pawl.desk.WorkerText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code pawl workers}: who works, since when nothing was heard of each, and what it holds. */
@Command(
        name = "workers",
        description =
                "List the workers: what each takes, when it last beat, and the jobs that it holds. One that has not beaten for its term is taken over by the"
                        + " others. Example: pawl workers",
        mixinStandardHelpOptions = true)
final class WorkersCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Override
    public Integer call() {
        try (var pawl = store.look()) {
            var workers = WorkerText.all(pawl);
            if (workers.isEmpty() && !json.wanted()) {
                System.out.println("nobody works with " + pawl.operator().describe());
            }
            workers.forEach(worker -> json.say(worker.line(), worker.fields()));
            return 0;
        }
    }
}
