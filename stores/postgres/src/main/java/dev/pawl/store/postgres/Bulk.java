package dev.pawl.store.postgres;

import dev.pawl.effect.Answer;
import dev.pawl.journal.Entry;
import dev.pawl.store.Change;
import dev.pawl.store.Debts;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Spending;
import dev.pawl.store.Versions;
import dev.pawl.store.Wanted;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes that are made many at a time, one statement for each kind, all of them and the commit in one exchange with the server. A statement does
 * only what plainly succeeds; what it leaves alone has changed nothing, and is done the slow way afterwards, which knows why. Not thread-safe.
 */
final class Bulk {

    /** Stands for the time in the texts of statements. */
    static final String NOW = "pawl_now";

    /**
     * What a store remembers from one exchange to the next.
     *
     * @param groups the numbers of claim groups
     * @param positions how far claims have come
     */
    record Remembered(PostgresClaimGroups groups, ClaimPositions positions) {}

    /** How many characters of values go into one statement; what does not fit goes row by row. */
    private static final long MOST_CHARACTERS = 16L << 20;

    private final Settings settings;
    private final ExchangeTexts texts;
    private final PostgresClaimGroups groups;
    private final ClaimPositions positions;
    private final BulkOutcome outcome;
    private final Submissions submissions;
    private final Claiming claiming;
    private final List<BulkPart> parts = new ArrayList<>();

    /** @param worker who asks; 0 for nobody who works */
    Bulk(
            Settings settings,
            ExchangeTexts texts,
            Remembered remembered,
            long worker,
            List<Change> changes,
            Wanted wanted) {
        this.settings = settings;
        this.texts = texts;
        this.groups = remembered.groups();
        this.positions = remembered.positions();
        this.outcome = new BulkOutcome(changes.size());
        var recording = new ArrayList<Integer>();
        var intending = new ArrayList<Integer>();
        var answering = new ArrayList<Integer>();
        var leaving = new ArrayList<Integer>();
        var submitting = new ArrayList<Integer>();
        var characters = 0L;
        for (var i = 0; i < changes.size() && characters <= MOST_CHARACTERS; i++) {
            var change = changes.get(i);
            characters += characters(change);
            if (change instanceof Change.SubmitJob submit) {
                if (isPlain(submit)) {
                    submitting.add(i);
                }
            } else if (change instanceof Change.AnswerAttempt answer) {
                if (HappenedEffects.isPlain(answer)) {
                    answering.add(i);
                }
            } else if (change instanceof Change.Owned owned && isPlain(owned)) {
                if (owned instanceof Change.RecordStepIfOwned) {
                    recording.add(i);
                } else if (owned instanceof Change.IntendEffectIfOwned intend) {
                    if (Intents.isPlain(intend)) {
                        intending.add(i);
                    }
                } else if (isLeaving(owned)) {
                    leaving.add(i);
                }
            }
        }
        Comparator<Integer> byJob = Comparator.comparingLong(i -> changes.get(i).job());
        recording.sort(byJob);
        intending.sort(byJob);
        answering.sort(byJob);
        leaving.sort(byJob);
        this.submissions = new Submissions(changes, submitting, worker, outcome);
        this.claiming = new Claiming(wanted, positions, outcome);
        add(Records.always(changes, recording, outcome));
        add(new Intents(changes, intending, outcome));
        add(new HappenedEffects(changes, answering, outcome));
        add(new LeftJobs(changes, leaving, outcome));
        add(submissions);
        add(claiming);
    }

    /** About how much it brings. */
    private static long characters(Change change) {
        return switch (change) {
            case Change.SubmitJob submit -> submit.input().length();
            case Change.FinishJob finish ->
                finish.ending() instanceof Change.FinishJob.FinalState.Done done
                        ? done.result().length()
                        : 0;
            case Change.AnswerAttempt answer ->
                answer.answer() instanceof Answer.Happened happened && happened.result() != null
                        ? happened.result().length()
                        : 0;
            case Change.RecordStepIfOwned record -> {
                var characters = 0L;
                for (var entry : record.entries()) {
                    characters +=
                            entry instanceof Entry.StepDone done ? done.result().length() : 0;
                }
                yield characters;
            }
            default -> 0;
        };
    }

    private void add(BulkPart part) {
        if (part.any()) {
            parts.add(part);
        }
    }

    /** Where a lane limits how many run, taking the job at once has to count first. */
    private static boolean isPlain(Change.SubmitJob change) {
        return change.given().handling().lane() == null || change.claim() == null;
    }

    /** Whether a change says nothing about money, what is owed or versions, which are kept elsewhere. */
    private static boolean isPlain(Change.Owned change) {
        return change.entries().stream()
                        .noneMatch(entry -> Spending.isIn(entry) || Debts.isIn(entry) || Versions.isIn(entry))
                && (!change.entries().isEmpty() || change instanceof Change.FinishJob);
    }

    private static boolean isLeaving(Change.Owned change) {
        return change.entries().size() <= 1
                && (change instanceof Change.FinishJob
                        || (change instanceof Change.ReleaseJob release
                                && release.until() != Change.ReleaseJob.Until.WAIT));
    }

    /** See {@link Claiming#look}. */
    @Nullable
    Exchanged look(Session session) throws SQLException {
        return claiming.look(session, texts);
    }

    /** Whether there is anything to do in bulk. */
    boolean any() {
        return !parts.isEmpty();
    }

    /** What it has told; nothing before it ran. */
    BulkOutcome told() {
        return outcome;
    }

    /** Does it all in one exchange and one commit. */
    void run(Session session) throws SQLException {
        if (submissions.any()) {
            submissions.learn(groups, session);
        }
        var setting = settings.forTransaction();
        var statements = new ArrayList<String>();
        if (!setting.isEmpty()) {
            statements.add(setting);
        }
        for (var part : parts) {
            statements.addAll(part.sql());
        }
        try (var statement = session.connection().prepareStatement(texts.of(statements))) {
            var binding = new Binding(session.connection(), statement);
            for (var part : parts) {
                part.bind(binding);
            }
            statement.execute();
            var results = new StatementResults(statement, !setting.isEmpty());
            for (var part : parts) {
                part.read(results);
            }
            var now = outcome.nowOrNull();
            if (now != null) {
                positions.told(now);
            }
        }
    }
}
