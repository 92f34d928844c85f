package dev.pawl.cli;

import dev.pawl.journal.EntryText;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code pawl show JOB}: what happened to a job, what it asks, and the next command. */
@Command(
        name = "show",
        description = "Show a job's history and what it asks. Example: pawl show daily-blog-pr/2026-04-12",
        mixinStandardHelpOptions = true)
final class ShowCommand implements Callable<Integer> {

    private static final int MOST_CHARS = 160;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Parameters(paramLabel = "JOB", description = "WORKFLOW/KEY")
    @SuppressWarnings("NullAway.Init")
    private String name;

    @Override
    public Integer call() {
        try (var pawl = store.open()) {
            var job = StoreOption.find(pawl, name);
            System.out.println(job.identity() + " is " + job.state() + ", resubmission "
                    + job.standing().resubmission());
            for (var line : pawl.journal(job)) {
                var text = EntryText.of(line.entry());
                var kind = text.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
                var body = text.body().length() > MOST_CHARS ? text.body().substring(0, MOST_CHARS) + "…" : text.body();
                System.out.printf("%s  %-18s %-20s %s%n", line.at(), kind, text.place(), body);
            }
            var outcome = job.outcome();
            if (outcome.question() != null) {
                System.out.println(outcome.question().text(job.identity()));
            }
            if (outcome.failure() != null) {
                System.out.println("failed at " + outcome.failure().place() + ": "
                        + outcome.failure().failure().message());
                System.out.println("  pawl retry " + job.identity() + " --note WHY      try again, with a new budget");
                System.out.println("  pawl discard " + job.identity() + " --note WHY    give it up");
            }
            return 0;
        }
    }
}
