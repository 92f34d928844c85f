package dev.pawl.cli;

import dev.pawl.job.JobState;
import dev.pawl.retry.FailureClass;
import dev.pawl.store.StoredJob;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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

    @Option(
            names = "--class",
            paramLabel = "CLASS",
            split = ",",
            description = "Only rows that failed like that: transient, permanent, ambiguous or account.")
    private Set<String> classes = Set.of();

    @Override
    public Integer call() throws IOException {
        var wanted = wanted();
        try (var pawl = store.open()) {
            var paused = BatchStatusCommand.count(store, pawl, name).getOrDefault(JobState.PAUSED, 0L);
            var retried = new AtomicLong();
            var asking = new AtomicLong();
            JobsCommand.each(pawl, EnumSet.of(JobState.FAILED), name, job -> {
                if (wanted.contains(BatchStatusCommand.failedAs(job))) {
                    asking.addAndGet(wasGivenUpByAPerson(job) ? 1 : 0);
                    pawl.retry(job, note.audit());
                    retried.incrementAndGet();
                }
            });
            json.say(
                    Words.many(retried.get() - asking.get(), "row") + " tried again when the batch is run"
                            + (asking.get() == 0
                                    ? ""
                                    : "; " + Words.many(asking.get(), "row")
                                            + " asking again then, because somebody has answered with fail and nobody knows whether it happened")
                            + (paused == 0
                                    ? ""
                                    : "; " + Words.many(paused, "row")
                                            + " asking somebody, which a retry does not answer:"
                                            + " pawl jobs --state paused --workflow " + name + pawl.storeOption()),
                    JsonOption.fields(
                            "batch", name, "retried", retried.get(), "asksAgain", asking.get(), "paused", paused));
            return 0;
        }
    }

    /** Whether a person has answered its question with fail: then it is as open as it was. */
    private static boolean wasGivenUpByAPerson(StoredJob job) {
        var failure = job.outcome().failure();
        return failure != null && failure.failure().code().equals("decided");
    }

    private Set<FailureClass> wanted() {
        if (classes.isEmpty()) {
            return EnumSet.allOf(FailureClass.class);
        }
        var wanted = EnumSet.noneOf(FailureClass.class);
        for (var typed : classes) {
            wanted.add(Arrays.stream(FailureClass.values())
                    .filter(one -> one.name().equalsIgnoreCase(typed.strip()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "\"" + typed + "\" is none of transient, permanent, ambiguous and account")));
        }
        return wanted;
    }
}
