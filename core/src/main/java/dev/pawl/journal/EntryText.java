package dev.pawl.journal;

import dev.pawl.cost.Use;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Terms;
import dev.pawl.failure.Failure;
import dev.pawl.failure.Thrown;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry as a store keeps it: a kind, a place and a body. The body of a step is its result as it is; every other body is a small JSON
 * object.
 *
 * @param entryCode which entry
 * @param place its place as text
 * @param body the rest
 */
public record EntryText(EntryCode entryCode, String place, String body) {

    /** The kinds, by the code they are stored under. Codes are for ever. */
    public enum EntryCode {
        /** {@link Entry.StepDone}. */
        STEP_DONE(1),
        /** {@link Entry.Noted}. */
        NOTED(2),
        /** {@link Entry.StepTried}. */
        STEP_TRIED(3),
        /** {@link Entry.GaveUp}. */
        GAVE_UP(4),
        /** {@link Entry.Intended}. */
        INTENDED(5),
        /** {@link Entry.Answered}. */
        ANSWERED(6),
        /** {@link Entry.Duplicated}. */
        DUPLICATED(7),
        /** {@link Entry.CouldNotTell}. */
        COULD_NOT_TELL(8),
        /** {@link Entry.ToldToAskAgain}. */
        TOLD_TO_ASK_AGAIN(9),
        /** {@link Entry.Asked}. */
        ASKED(10),
        /** {@link Entry.Decided}. */
        DECIDED(11),
        /** {@link Entry.Released}. */
        RELEASED(12),
        /** {@link Entry.OwnerGone}. */
        OWNER_GONE(13),
        /** {@link Entry.Retried}. */
        RETRIED(14),
        /** {@link Entry.Resubmitted}. */
        RESUBMITTED(15),
        /** {@link Entry.Discarded}. */
        DISCARDED(16),
        /** {@link Entry.Waits}. */
        WAITS(17),
        /** {@link Entry.TimeUp}. */
        TIME_UP(18),
        /** {@link Entry.Delivered}. */
        DELIVERED(19),
        /** {@link Entry.Received}. */
        RECEIVED(20),
        /** {@link Entry.ApprovalWanted}. */
        APPROVAL_WANTED(21),
        /** {@link Entry.Called}. */
        CALLED(22),
        /** {@link Entry.CancelAsked}. */
        CANCEL_ASKED(23),
        /** {@link Entry.Used}. */
        USED(24),
        /** {@link Entry.Said}. */
        SAID(25),
        /** {@link Entry.ArtifactKept}. */
        ARTIFACT_KEPT(26),
        /** {@link Entry.Logged}. */
        LOGGED(27),
        /** {@link Entry.ActEnded}. */
        ACT_ENDED(28),
        /** {@link Entry.Accounted}. */
        ACCOUNTED(29),
        /** {@link Entry.Requested}. */
        REQUESTED(30),
        /** {@link Entry.Progressed}. */
        PROGRESSED(31),
        /** {@link Entry.Heard}. */
        HEARD(32),
        /** {@link Entry.LooksFail}. */
        LOOKS_FAIL(33),
        /** {@link Entry.Owes}. */
        OWES(34),
        /** {@link Entry.OwesNoMore}. */
        OWES_NO_MORE(35),
        /** {@link Entry.RunsAs}. */
        RUNS_AS(36),
        /** {@link Entry.Threw}. */
        THREW(37),
        /** {@link Entry.TracedAs}. */
        TRACED_AS(38);

        private final int code;

        EntryCode(int code) {
            this.code = code;
        }

        /** The number a store keeps. */
        public int code() {
            return code;
        }

        /** The kind with this number. */
        public static EntryCode of(int code) {
            for (var entryCode : values()) {
                if (entryCode.code == code) {
                    return entryCode;
                }
            }
            throw new IllegalArgumentException(
                    "journal entry of unknown kind " + code + "; was it written by a newer Pawl?");
        }
    }

    /** How {@code entry} is kept. */
    public static EntryText of(Entry entry) {
        var place = entry.place().toString();
        return switch (entry) {
            case Entry.StepDone e -> new EntryText(EntryCode.STEP_DONE, place, e.result());
            case Entry.Noted e -> new EntryText(EntryCode.NOTED, place, e.value());
            case Entry.StepTried e ->
                json(
                        EntryCode.STEP_TRIED,
                        place,
                        new TriedText(
                                e.number(),
                                e.failure(),
                                e.notes().by(),
                                e.notes().request(),
                                e.notes().most()));
            case Entry.GaveUp e -> json(EntryCode.GAVE_UP, place, e.failure());
            case Entry.Intended e ->
                json(
                        EntryCode.INTENDED,
                        place,
                        new Intent(
                                e.number(),
                                e.fingerprint(),
                                e.terms(),
                                e.lasts(),
                                e.outlives() ? true : null,
                                e.notes().by(),
                                e.notes().request(),
                                e.notes().most()));
            case Entry.ActEnded e -> json(EntryCode.ACT_ENDED, place, e.number());
            case Entry.Answered e -> json(EntryCode.ANSWERED, place, AnsweredText.of(e));
            case Entry.Duplicated e ->
                json(EntryCode.DUPLICATED, place, new Second(e.number(), e.result(), e.unheard() ? true : null));
            case Entry.CouldNotTell e -> json(EntryCode.COULD_NOT_TELL, place, e.why());
            case Entry.ToldToAskAgain e -> json(EntryCode.TOLD_TO_ASK_AGAIN, place, e.after());
            case Entry.Asked e -> json(EntryCode.ASKED, place, AskedText.of(e));
            case Entry.Decided e -> json(EntryCode.DECIDED, place, new Ruling(e.question(), e.decision()));
            case Entry.Released e -> json(EntryCode.RELEASED, place, new Handed(e.fence(), e.why(), e.after()));
            case Entry.OwnerGone e -> json(EntryCode.OWNER_GONE, place, new Gone(e.fence(), e.known(), e.strikes()));
            case Entry.Accounted e -> json(EntryCode.ACCOUNTED, place, new FoundText(e.fence(), e.gone()));
            case Entry.Retried e -> json(EntryCode.RETRIED, place, e.audit());
            case Entry.Resubmitted e -> json(EntryCode.RESUBMITTED, place, new Again(e.audit(), e.lastResult()));
            case Entry.Discarded e -> json(EntryCode.DISCARDED, place, e.audit());
            case Entry.Waits e -> json(EntryCode.WAITS, place, e.longest());
            case Entry.TimeUp e -> new EntryText(EntryCode.TIME_UP, place, "");
            case Entry.Delivered e -> json(EntryCode.DELIVERED, place, e.message());
            case Entry.Received e -> json(EntryCode.RECEIVED, place, e.message());
            case Entry.ApprovalWanted e ->
                json(EntryCode.APPROVAL_WANTED, place, new Approvable(e.fingerprint(), e.expires()));
            case Entry.Called e ->
                json(
                        EntryCode.CALLED,
                        place,
                        new Child(e.child().workflow(), e.child().key().encoded()));
            case Entry.CancelAsked e -> json(EntryCode.CANCEL_ASKED, place, e.audit());
            case Entry.Used e -> json(EntryCode.USED, place, new UsedText(e.number(), e.uses(), e.wall()));
            case Entry.Said e -> json(EntryCode.SAID, place, TurnText.of(e.turn()));
            case Entry.ArtifactKept e -> json(EntryCode.ARTIFACT_KEPT, place, e.artifact());
            case Entry.Logged e -> json(EntryCode.LOGGED, place, new Log(e.number(), e.text()));
            case Entry.Threw e -> json(EntryCode.THREW, place, new ThrownText(e.number(), e.thrown()));
            case Entry.Heard e -> json(EntryCode.HEARD, place, e.message());
            case Entry.LooksFail e -> new EntryText(EntryCode.LOOKS_FAIL, place, Json.write(e.why()));
            case Entry.Owes e -> json(EntryCode.OWES, place, e.awaited().toString());
            case Entry.OwesNoMore ignored -> new EntryText(EntryCode.OWES_NO_MORE, place, "");
            case Entry.RunsAs e -> json(EntryCode.RUNS_AS, place, e.version());
            case Entry.TracedAs e -> json(EntryCode.TRACED_AS, place, e.traceparent());
            case Entry.Requested e -> json(EntryCode.REQUESTED, place, e.fingerprint());
            case Entry.Progressed e ->
                json(EntryCode.PROGRESSED, place, new ProgressText(e.number(), e.order(), e.soFar()));
        };
    }

    /** The entry that was kept. */
    public Entry entry() {
        var at = Place.parse(place);
        return switch (entryCode) {
            case STEP_DONE -> new Entry.StepDone(at, body);
            case NOTED -> new Entry.Noted(at, body);
            case STEP_TRIED -> {
                var read = read(TriedText.class);
                yield new Entry.StepTried(
                        at, read.number(), read.failure(), new AttemptNotes(read.by(), read.request(), read.most()));
            }
            case GAVE_UP -> new Entry.GaveUp(at, read(Failure.class));
            case INTENDED -> {
                var read = read(Intent.class);
                yield new Entry.Intended(
                        at,
                        read.number(),
                        read.fingerprint(),
                        read.terms(),
                        read.lasts(),
                        Boolean.TRUE.equals(read.outlives()),
                        new AttemptNotes(read.by(), read.request(), read.most()));
            }
            case ACT_ENDED -> new Entry.ActEnded(at, read(Integer.class));
            case ANSWERED -> read(AnsweredText.class).entry(at);
            case DUPLICATED -> {
                var read = read(Second.class);
                yield new Entry.Duplicated(at, read.number(), read.result(), read.unheard() != null);
            }
            case COULD_NOT_TELL -> new Entry.CouldNotTell(at, read(String.class));
            case TOLD_TO_ASK_AGAIN -> new Entry.ToldToAskAgain(at, read(Duration.class));
            case ASKED -> read(AskedText.class).entry();
            case DECIDED -> {
                var read = read(Ruling.class);
                yield new Entry.Decided(read.question(), read.decision());
            }
            case RELEASED -> {
                var read = read(Handed.class);
                yield new Entry.Released(read.fence(), read.why(), read.after());
            }
            case OWNER_GONE -> {
                var read = read(Gone.class);
                yield new Entry.OwnerGone(read.fence(), read.known(), read.strikes());
            }
            case ACCOUNTED -> {
                var read = read(FoundText.class);
                yield new Entry.Accounted(read.fence(), read.gone());
            }
            case RETRIED -> new Entry.Retried(at, read(Audit.class));
            case RESUBMITTED -> {
                var read = read(Again.class);
                yield new Entry.Resubmitted(read.audit(), read.lastResult());
            }
            case DISCARDED -> new Entry.Discarded(read(Audit.class));
            case WAITS -> new Entry.Waits(at, read(Duration.class));
            case TIME_UP -> new Entry.TimeUp(at);
            case DELIVERED -> new Entry.Delivered(read(Message.class));
            case RECEIVED -> new Entry.Received(at, read(Long.class));
            case APPROVAL_WANTED -> {
                var read = read(Approvable.class);
                yield new Entry.ApprovalWanted(at, read.fingerprint(), read.expires());
            }
            case CALLED -> {
                var read = read(Child.class);
                yield new Entry.Called(at, new Identity(read.workflow(), Key.decode(read.key())));
            }
            case CANCEL_ASKED -> new Entry.CancelAsked(read(Audit.class));
            case USED -> {
                var read = read(UsedText.class);
                yield new Entry.Used(at, read.number(), read.uses(), read.wall());
            }
            case SAID -> new Entry.Said(at, read(TurnText.class).turn());
            case ARTIFACT_KEPT -> new Entry.ArtifactKept(at, read(Artifact.class));
            case LOGGED -> {
                var read = read(Log.class);
                yield new Entry.Logged(at, read.number(), read.text());
            }
            case THREW -> {
                var read = read(ThrownText.class);
                yield new Entry.Threw(at, read.number(), read.thrown());
            }
            case HEARD -> new Entry.Heard(at, read(Long.class));
            case LOOKS_FAIL -> new Entry.LooksFail(at, Json.read(body, String.class));
            case OWES -> new Entry.Owes(at, Place.parse(read(String.class)));
            case OWES_NO_MORE -> new Entry.OwesNoMore(at);
            case RUNS_AS -> new Entry.RunsAs(at, read(String.class));
            case TRACED_AS -> new Entry.TracedAs(read(String.class));
            case REQUESTED -> new Entry.Requested(at, read(String.class));
            case PROGRESSED -> {
                var read = read(ProgressText.class);
                yield new Entry.Progressed(at, read.number(), read.order(), read.soFar());
            }
        };
    }

    private <T> T read(Class<T> type) {
        return Objects.requireNonNull(Json.read(body, type));
    }

    private static EntryText json(EntryCode entryCode, String place, Object body) {
        return new EntryText(entryCode, place, Json.write(body));
    }

    private record TriedText(
            int number,
            Failure failure,
            @Nullable String by,
            @Nullable String request,
            @Nullable Integer most) {}

    /** A question, flat, as it always was, and what it asks about. */
    private record AskedText(
            long id,
            QuestionKind kind,
            Place place,
            String because,
            @Nullable String request) {
        static AskedText of(Entry.Asked e) {
            var question = e.question();
            return new AskedText(question.id(), question.kind(), question.place(), question.because(), e.request());
        }

        Entry.Asked entry() {
            return new Entry.Asked(new Question(id, kind, place, because), request);
        }
    }

    /** An intent; {@code outlives} is null where it does not, as it is in what was written before there was such a thing. */
    private record Intent(
            int number,
            String fingerprint,
            Terms terms,
            Duration lasts,
            @Nullable Boolean outlives,
            @Nullable String by,
            @Nullable String request,
            @Nullable Integer most) {}

    private record Log(int number, String text) {}

    private record ThrownText(int number, Thrown thrown) {}

    private record ProgressText(int number, int order, Progress soFar) {}

    /** A turn; what it does not have is null, as it is in what was written before there was such a thing. */
    private record TurnText(
            String role,
            @Nullable String content,
            @Nullable List<Turn.ToolCall> toolCalls,
            @Nullable String answers,
            @Nullable String record) {
        static TurnText of(Turn turn) {
            var place = turn.record();
            return new TurnText(
                    turn.role(),
                    place == null ? turn.content() : null,
                    turn.toolCalls().isEmpty() ? null : turn.toolCalls(),
                    turn.answers(),
                    place == null ? null : place.toString());
        }

        Turn turn() {
            return new Turn(
                    role,
                    content == null ? "" : content,
                    toolCalls == null ? List.of() : toolCalls,
                    answers,
                    record == null ? null : Place.parse(record));
        }
    }

    private record Second(
            int number, @Nullable String result, @Nullable Boolean unheard) {}

    private record Ruling(Question question, Decision decision) {}

    private record Handed(long fence, String why, Duration after) {}

    private record Gone(long fence, boolean known, int strikes) {}

    private record FoundText(long fence, Instant gone) {}

    private record Approvable(String fingerprint, Duration expires) {}

    private record UsedText(int number, List<Use> uses, Duration wall) {}

    private record Child(String workflow, String key) {}

    private record Again(Audit audit, @Nullable String lastResult) {}

    /** An answer, flat. */
    private record AnsweredText(
            int number,
            String what,
            @Nullable String result,
            @Nullable Failure failure,
            Answer.Source source) {

        static AnsweredText of(Entry.Answered e) {
            return switch (e.answer()) {
                case Answer.Happened a ->
                    new AnsweredText(e.number(), a.kept() ? "happened" : "not-kept", a.result(), null, e.source());
                case Answer.DidNotHappen a -> new AnsweredText(e.number(), "did-not-happen", null, a.why(), e.source());
                case Answer.Waived a -> new AnsweredText(e.number(), "waived", a.by(), null, e.source());
                case Answer.Late ignored -> new AnsweredText(e.number(), "late", null, null, e.source());
            };
        }

        Entry entry(Place place) {
            return new Entry.Answered(place, number, answer(), source);
        }

        private Answer answer() {
            return switch (what) {
                case "happened" -> new Answer.Happened(result, true);
                case "not-kept" -> new Answer.Happened(result, false);
                case "did-not-happen" -> new Answer.DidNotHappen(Objects.requireNonNull(failure));
                case "waived" -> new Answer.Waived(Objects.requireNonNull(result));
                case "late" -> new Answer.Late();
                default -> throw new IllegalArgumentException("an answer of unknown kind: " + what);
            };
        }
    }
}
