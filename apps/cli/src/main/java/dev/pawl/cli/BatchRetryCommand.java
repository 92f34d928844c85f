package dev.pawl.cli;

import dev.pawl.job.JobState;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code pawl batch retry NAME}: tries the rows again that were given up. */
@Command(
        name = "retry",
        description =
                "Try the failed rows of a batch again on its next run. Example: pawl batch retry nightly --note 'the site is back'",
        mixinStandardHelpOptions = true)
final class BatchRetryCommand implements Callable<Integer> {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private NoteOption note;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Parameters(paramLabel = "NAME", description = "The batch.")
    @SuppressWarnings("NullAway.Init")
    private String name;

    @Override
    public Integer call() {
        try (var pawl = store.open()) {
            var paused = BatchStatusCommand.count(pawl, name).getOrDefault(JobState.PAUSED, 0L);
            var retried = new AtomicLong();
            JobsCommand.each(pawl, EnumSet.of(JobState.FAILED), name, job -> {
                pawl.retry(job, note.audit());
                retried.incrementAndGet();
            });
            json.say(
                    Words.many(retried.get(), "row") + " tried again when the batch is run"
                            + (paused == 0
                                    ? ""
                                    : "; " + Words.many(paused, "row")
                                            + " asking somebody, which a retry does not answer:"
                                            + " pawl jobs --state paused --workflow " + name + pawl.storeOption()),
                    JsonOption.fields("batch", name, "retried", retried.get(), "paused", paused));
            return 0;
        }
    }
}
