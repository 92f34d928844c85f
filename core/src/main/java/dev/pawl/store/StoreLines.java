package dev.pawl.store;

import dev.pawl.cost.Cost;
import dev.pawl.cost.KeptPrices;
import dev.pawl.cost.Prices;
import dev.pawl.cost.Spent;
import dev.pawl.cost.Use;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Question;
import dev.pawl.export.StoreKind;
import dev.pawl.export.StoreLine;
import dev.pawl.failure.FailedAt;
import dev.pawl.gate.Gate;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.EntryText;
import dev.pawl.journal.JournalLine;
import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.ledger.AttemptState;
import dev.pawl.ledger.LedgerRow;
import dev.pawl.ledger.RowHistory.TryEnd;
import dev.pawl.ledger.RowState;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Answering.KnownAttempt;
import dev.pawl.store.Answering.Status;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the lines of a store say, as the values that rules know, and those as lines again. */
public final class StoreLines {
    private static final TypeToken<List<Gate.Opening>> OPENINGS = new TypeToken<>() {};

    private StoreLines() {}

    /**
     * Makes sure that a line says what one of its kind can say.
     *
     * @throws IllegalArgumentException when it does not
     */
    public static void check(StoreLine storeLine) {
        try {
            switch (storeLine.kind()) {
                case JOB -> {
                    job(storeLine);
                    numbers(storeLine, "claim", "lastChange", "news", "gateClosings", "laneMost");
                }
                case ENTRY -> {
                    entry(storeLine);
                    numbers(storeLine, "job");
                }
                case ATTEMPT -> attempt(storeLine);
                case CALL -> call(storeLine);
                case ARTIFACT -> bytes(storeLine);
                case FOLLOW_UP -> followUp(storeLine);
                case WORKER -> worker(storeLine);
                case GONE -> numbers(storeLine, "worker", "at");
                case QUEUE -> numbers(storeLine, "most");
                case GATE -> gate(storeLine);
                case PASSED -> numbers(storeLine, "since", "taken");
                case SPENT -> spent(storeLine);
                case PRICES -> prices(storeLine);
                case COLLECTION -> numbers(storeLine, "number", "enrolled");
                case PART -> numbers(storeLine, "number", "job", "opened");
                case ROW -> ledgerRow(storeLine, null);
                case PAYLOAD -> numbers(storeLine, "row", "generation");
                case ROW_ATTEMPT -> rowEnd(storeLine);
                case ROW_WORD -> numbers(storeLine, "row", "generation", "at");
                case TABLE, TABLE_ROW ->
                    throw new IllegalArgumentException("a line of kind "
                            + storeLine.kind().word() + " is told by a store that moves, and stands in no export");
            }
        } catch (JsonMismatch | NullPointerException | ArithmeticException | DateTimeException e) {
            throw new IllegalArgumentException(
                    "a line of kind " + storeLine.kind().word() + " says what none can say", e);
        }
    }

    private static void numbers(StoreLine storeLine, String... fields) {
        for (var field : fields) {
            storeLine.number(field);
        }
    }

    private static void call(StoreLine storeLine) {
        Place.parse(storeLine.text("place"));
        numbers(storeLine, "child", "parent", "resubmission", "detached");
    }

    /** A job as everybody sees it. */
    public static StoredJob job(StoreLine storeLine) {
        var lane = storeLine.text("lane");
        var failure = storeLine.textIfAny("failure");
        var question = storeLine.textIfAny("question");
        var gate = storeLine.textIfAny("gate");
        var outcome = new StoredJob.Outcome(
                storeLine.textIfAny("result"),
                failure == null ? null : Json.read(failure, FailedAt.class),
                question == null ? null : Json.read(question, Question.class));
        return new StoredJob(
                storeLine.number("number"),
                new Identity(storeLine.text("workflow"), Key.decode(storeLine.text("key"))),
                new StoredJob.Given(
                        storeLine.text("input"),
                        new Handling(
                                storeLine.text("queue"),
                                integer(storeLine, "priority"),
                                null,
                                lane.isEmpty() ? null : new Handling.Lane(lane, integer(storeLine, "laneMost")),
                                storeLine.text("principal"),
                                storeLine.textIfAny("traceparent"),
                                storeLine.text("version"))),
                new StoredJob.Standing(
                        word(JobState.class, storeLine, "state"),
                        integer(storeLine, "resubmission"),
                        storeLine.number("fence"),
                        storeLine.number("owner"),
                        new StoredJob.Suspicion(storeLine.number("suspect") != 0, integer(storeLine, "strikes")),
                        new StoredJob.Times(
                                storeLine.time("created"), storeLine.time("changed"), storeLine.timeIfAny("due")),
                        storeLine.number("cancelling") != 0,
                        integer(storeLine, "owes")),
                gate == null ? outcome : StoredJob.Outcome.at(gate));
    }

    /** A line of a journal. */
    public static JournalLine entry(StoreLine storeLine) {
        var text = new EntryText(
                EntryText.EntryCode.of(integer(storeLine, "entry")), storeLine.text("place"), storeLine.text("body"));
        return new JournalLine(
                storeLine.number("number"),
                storeLine.number("change"),
                integer(storeLine, "resubmission"),
                storeLine.time("at"),
                text.entry());
    }

    /** The same as a line of its job. */
    public static StoreLine line(long job, JournalLine recorded) {
        var text = EntryText.of(recorded.entry());
        return StoreLine.of(
                StoreKind.ENTRY,
                job,
                recorded.seq(),
                recorded.change(),
                recorded.resubmission(),
                recorded.at().toEpochMilli(),
                text.entryCode().code(),
                text.place(),
                text.body());
    }

    /** What is known of an attempt. */
    public static KnownAttempt attempt(StoreLine storeLine) {
        Place.parse(storeLine.text("place"));
        numbers(storeLine, "job", "resubmission", "number");
        return new KnownAttempt(
                word(Status.class, storeLine, "status"), storeLine.time("intended"), storeLine.time("rememberedUntil"));
    }

    /** The bytes of an artifact. */
    public static Bytes bytes(StoreLine storeLine) {
        Place.parse(storeLine.text("place"));
        numbers(storeLine, "job", "resubmission");
        return Bytes.copyOf(Base64.getDecoder().decode(storeLine.text("bytes")));
    }

    /** What is left to do of a change. */
    public static FollowUp followUp(StoreLine storeLine) {
        var rest = FollowUp.RestCode.read(integer(storeLine, "rest"), storeLine.text("text"));
        return new FollowUp(storeLine.number("number"), rest);
    }

    /** The same as a storeLine. */
    public static StoreLine line(FollowUp followUp) {
        return StoreLine.of(
                StoreKind.FOLLOW_UP,
                followUp.id(),
                followUp.rest().job(),
                followUp.rest().restCode().number(),
                followUp.rest().text());
    }

    /** A worker; which was its last claim stands beside it. */
    public static WorkerRecord worker(StoreLine storeLine) {
        return new WorkerRecord(
                storeLine.number("number"),
                storeLine.text("name"),
                storeLine.number("beat"),
                storeLine.time("beaten"),
                Duration.ofMillis(storeLine.number("term")),
                Objects.requireNonNull(Json.read(storeLine.text("taking"), Taking.class)),
                storeLine.textIfAny("end") == null ? null : word(WorkerEnd.class, storeLine, "end"));
    }

    /** The same as a storeLine. */
    public static StoreLine line(WorkerRecord worker, long claim) {
        var end = worker.end();
        return StoreLine.of(
                StoreKind.WORKER,
                worker.id(),
                worker.name(),
                worker.beat(),
                worker.beaten().toEpochMilli(),
                worker.term().toMillis(),
                claim,
                Json.write(worker.taking()),
                end == null ? null : end.name());
    }

    /** A gate. */
    public static Gate gate(StoreLine storeLine) {
        var why = storeLine.textIfAny("why");
        return new Gate(
                storeLine.text("name"),
                word(Gate.Cause.class, storeLine, "cause"),
                why == null ? null : new Gate.Closing(why, storeLine.time("since"), storeLine.timeIfAny("until")),
                storeLine.number("closings"),
                new Gate.Raised(integer(storeLine, "raised"), storeLine.timeIfAny("raisedAt")),
                Objects.requireNonNull(Json.read(storeLine.text("openings"), OPENINGS)));
    }

    /** The same as a storeLine. */
    public static StoreLine line(Gate gate) {
        var closing = gate.closing();
        return StoreLine.of(
                StoreKind.GATE,
                gate.name(),
                gate.cause().name(),
                closing == null ? null : closing.why(),
                closing == null ? null : closing.since().toEpochMilli(),
                millis(closing == null ? null : closing.until()),
                gate.closings(),
                gate.raised().times(),
                millis(gate.raised().last()),
                Json.write(gate.openings()));
    }

    /** What was spent on a day. */
    public static Spent spent(StoreLine storeLine) {
        return new Spent(
                storeLine.text("workflow"),
                LocalDate.ofEpochDay(storeLine.number("day")),
                storeLine.text("model"),
                new Cost(
                        storeLine.number("nanoUsd"),
                        new Use.Tokens(
                                storeLine.number("input"),
                                storeLine.number("output"),
                                storeLine.number("cached"),
                                storeLine.number("cacheWritten")),
                        integer(storeLine, "toolCalls"),
                        Duration.ZERO,
                        new Cost.Unknown(integer(storeLine, "unpriced"), integer(storeLine, "lost"), 0)));
    }

    /** The same as a storeLine. */
    public static StoreLine line(Spent spent) {
        var cost = spent.cost();
        return StoreLine.of(
                StoreKind.SPENT,
                spent.day().toEpochDay(),
                spent.workflow(),
                spent.model(),
                cost.nanoUsd(),
                cost.tokens().input(),
                cost.tokens().output(),
                cost.tokens().cached(),
                cost.toolCalls(),
                cost.unknown().unpriced(),
                cost.unknown().lost(),
                cost.tokens().cacheWritten());
    }

    /** The table of prices. */
    public static KeptPrices prices(StoreLine storeLine) {
        return new KeptPrices(
                storeLine.number("number"),
                storeLine.time("at"),
                new Audit(storeLine.text("who"), storeLine.text("why")),
                Prices.parse("the store's prices", storeLine.text("lines")));
    }

    /** The same as a storeLine. */
    public static StoreLine line(KeptPrices kept) {
        return StoreLine.of(
                StoreKind.PRICES,
                kept.number(),
                kept.at().toEpochMilli(),
                kept.audit().by(),
                kept.audit().why(),
                kept.prices().text());
    }

    /**
     * A row of the ledger.
     *
     * @param part the name of the part under which an attempt is open
     */
    public static LedgerRow ledgerRow(StoreLine storeLine, @Nullable String part) {
        numbers(storeLine, "number");
        return new LedgerRow(
                storeLine.text("key"),
                integer(storeLine, "generation"),
                storeLine.text("hash"),
                new LedgerRow.RowStanding(
                        word(RowState.class, storeLine, "state"),
                        storeLine.text("because"),
                        storeLine.number("dealtWith") != 0,
                        storeLine.time("changed")),
                new LedgerRow.RowTries(
                        integer(storeLine, "made"), integer(storeLine, "spent"), part, integer(storeLine, "won")));
    }

    /** What became of an attempt of a row. */
    public static TryEnd rowEnd(StoreLine storeLine) {
        numbers(storeLine, "row", "generation", "number", "part", "opened");
        return new TryEnd(
                word(AttemptState.class, storeLine, "state"),
                storeLine.text("because"),
                storeLine.text("why"),
                storeLine.textIfAny("use"),
                storeLine.timeIfAny("ended"));
    }

    private static int integer(StoreLine storeLine, String field) {
        return Math.toIntExact(storeLine.number(field));
    }

    private static <E extends Enum<E>> E word(Class<E> type, StoreLine storeLine, String field) {
        return Enum.valueOf(type, storeLine.text(field));
    }

    private static @Nullable Long millis(@Nullable Instant when) {
        return Optional.ofNullable(when).map(Instant::toEpochMilli).orElse(null);
    }
}
