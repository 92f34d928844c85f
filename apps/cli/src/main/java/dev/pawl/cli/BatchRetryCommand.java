package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.desk.Fields;
import dev.pawl.desk.GoingOn;
import dev.pawl.desk.JobLookup;
import dev.pawl.desk.Words;
import dev.pawl.failure.DecisionConflict;
import dev.pawl.failure.FailureClass;
import dev.pawl.job.JobState;
import dev.pawl.look.JobSummary;
import dev.pawl.text.Many;
import dev.pawl.time.Time;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pawl batch retry NAME}: tries the rows again that were given up. */
@Command(
        name = "retry",
        description =
                "Try the failed rows of a batch again on its next run; with --now, those that wait. Example: pawl batch retry nightly --note 'the site is back'",
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
            completionCandidates = FailureClasses.class,
            description = "Only rows that failed like that: ${COMPLETION-CANDIDATES}.")
    private Set<String> classes = Set.of();

    @Option(
            names = "--now",
            description =
                    "Not the failed rows, but those that wait to be tried again: do not wait any longer. They get no attempt more.")
    private boolean now;

    /** What {@code --class} takes. */
    static final class FailureClasses implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return FailureClass.WORDS.all().iterator();
        }
    }

    @Override
    public Integer call() throws IOException {
        InsideCommand.refuseToAnswer();
        if (now) {
            return hurry();
        }
        var wanted = wanted();
        try (var pawl = store.open()) {
            var paused = BatchStatusCommand.count(store, pawl, name).getOrDefault(JobState.PAUSED, 0L);
            var retried = new AtomicLong();
            var asking = new AtomicLong();
            var goesOn = new AtomicReference<@Nullable JobSummary>();
            JobLookup.each(pawl, EnumSet.of(JobState.FAILED), name, job -> {
                if (wanted.contains(job.failedAs()) && isRetried(pawl, job)) {
                    asking.addAndGet(wasGivenUpByAPerson(job) ? 1 : 0);
                    retried.incrementAndGet();
                    goesOn.set(job);
                }
            });
            json.say(
                    Words.many(retried.get() - asking.get(), "row") + " tried again when the batch is run"
                            + whereNobodyDoes(pawl, goesOn.get())
                            + (asking.get() == 0
                                    ? ""
                                    : "; " + Words.many(asking.get(), "row")
                                            + " asking again then, because somebody has answered with fail and nobody knows whether it happened")
                            + (paused == 0
                                    ? ""
                                    : "; " + Words.many(paused, "row")
                                            + " asking somebody, which a retry does not answer:"
                                            + " pawl jobs --state paused --workflow " + name
                                            + pawl.operator().storeOption()),
                    Fields.of("batch", name, "retried", retried.get(), "asksAgain", asking.get(), "paused", paused));
            return 0;
        }
    }

    private int hurry() throws IOException {
        if (!classes.isEmpty()) {
            throw new IllegalArgumentException("--class is of rows that failed; with --now say it for those that wait");
        }
        try (var pawl = store.open()) {
            BatchStatusCommand.count(store, pawl, name);
            var hurried = new AtomicLong();
            var goesOn = new AtomicReference<@Nullable JobSummary>();
            JobLookup.each(pawl, EnumSet.of(JobState.READY, JobState.WAITING), name, job -> {
                if (waitsForATime(job) && goesOn(pawl, job)) {
                    hurried.incrementAndGet();
                    goesOn.set(job);
                }
            });
            json.say(
                    Many.of(hurried.get(), "row waits", "rows wait")
                            + " no longer to be tried again; the run that works takes "
                            + (hurried.get() == 1 ? "it" : "them") + ", or the next"
                            + whereNobodyDoes(pawl, goesOn.get()),
                    Fields.of("batch", name, "hurried", hurried.get()));
            return 0;
        }
    }

    private String whereNobodyDoes(Pawl pawl, @Nullable JobSummary row) throws IOException {
        return row == null ? "" : new GoingOn(new TypedHere(store, pawl), pawl).whereNobodyDoes(row);
    }

    private static boolean waitsForATime(JobSummary job) {
        var due = job.standing().times().due();
        return job.outcome().gate() == null
                && due != null
                && due.isAfter(Time.system().now());
    }

    /** Whether it was still failed when it was told: somebody else may have dealt with it since. */
    private boolean isRetried(Pawl pawl, JobSummary job) {
        try {
            pawl.retry(pawl.find(job.id()).orElseThrow(), note.audit());
            return true;
        } catch (DecisionConflict e) {
            return false;
        }
    }

    /** Whether it still waited when it was told. */
    private boolean goesOn(Pawl pawl, JobSummary job) {
        try {
            pawl.hurry(pawl.find(job.id()).orElseThrow(), false, note.audit());
            return true;
        } catch (DecisionConflict e) {
            return false;
        }
    }

    /** Whether a person has answered its question with fail: then it is as open as it was. */
    private static boolean wasGivenUpByAPerson(JobSummary job) {
        var failure = job.outcome().failure();
        return failure != null && failure.failure().isDecided();
    }

    private Set<FailureClass> wanted() {
        if (classes.isEmpty()) {
            return EnumSet.allOf(FailureClass.class);
        }
        return classes.stream().map(FailureClass::parse).collect(Collectors.toSet());
    }
}
