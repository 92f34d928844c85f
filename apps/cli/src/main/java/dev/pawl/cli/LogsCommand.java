package dev.pawl.cli;

import dev.pawl.journal.Entry;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code pawl logs JOB [STEP]}: what the attempts of a job wrote. */
@Command(
        name = "logs",
        description = "Show what a job's commands wrote, attempt by attempt. Example: pawl logs nightly/a-slug",
        mixinStandardHelpOptions = true)
final class LogsCommand implements Callable<Integer> {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Parameters(index = "0", paramLabel = "JOB", description = "WORKFLOW/KEY")
    @SuppressWarnings("NullAway.Init")
    private String name;

    @Parameters(index = "1", arity = "0..1", paramLabel = "STEP", description = "Only this step or effect.")
    private @Nullable String step;

    @Override
    public Integer call() {
        try (var pawl = store.open()) {
            for (var line : pawl.journal(StoreOption.find(pawl, name))) {
                if (line.entry() instanceof Entry.Logged log
                        && (step == null || log.place().name().equals(step))) {
                    System.out.println(
                            "== " + log.place() + ", attempt " + log.number() + ", " + Words.local(line.at()));
                    // What a command wrote must not move anybody's cursor or forge a line.
                    var text = log.text().replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "");
                    System.out.print(text.endsWith("\n") ? text : text + "\n");
                }
            }
            return 0;
        }
    }
}
