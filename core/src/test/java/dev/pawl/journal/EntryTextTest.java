package dev.pawl.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.cost.Use;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Origin;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Terms;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.failure.Thrown;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whatever is recorded reads back. */
class EntryTextTest {

    private static final Place PLACE = new Place("map@scope%2F1", "name", "item@2");
    private static final Failure FAILURE =
            new Failure(FailureClass.TRANSIENT, "c", "m \n \u0000", Duration.ofSeconds(3));
    private static final Audit AUDIT = new Audit("anna", "because");
    private static final Question QUESTION = new Question(7, QuestionKind.DRIFT, PLACE, "why");
    private static final List<Entry> ALL = List.of(
            new Entry.StepDone(PLACE, "{\"a\":1}"),
            new Entry.Noted(PLACE, "\"v\""),
            new Entry.StepTried(PLACE, 2, FAILURE),
            new Entry.GaveUp(PLACE, FAILURE),
            new Entry.Intended(
                    PLACE, 1, "f", new Terms(Duration.ofHours(1), true, Duration.ZERO), Duration.ofMinutes(2)),
            new Entry.Intended(PLACE, 1, "f", new Terms(null, false, Duration.ofMillis(1)), Duration.ofMinutes(2)),
            new Entry.Intended(
                    PLACE, 2, "f", new Terms(null, false, Duration.ofMillis(1)), Duration.ofMinutes(2), true),
            new Entry.Intended(
                    PLACE,
                    3,
                    "f",
                    new Terms(null, false, Duration.ofMillis(1)),
                    Duration.ofMinutes(2),
                    true,
                    new AttemptNotes("worker@host", "{\"a\":1}", 8)),
            new Entry.StepTried(PLACE, 2, FAILURE, new AttemptNotes(null, "{}", 8)),
            new Entry.Asked(QUESTION, "{\"a\":1}"),
            new Entry.ActEnded(PLACE, 2),
            new Entry.Threw(
                    PLACE,
                    2,
                    new Thrown("shop.Sold", "out", List.of("a.B.c(D.java:1)"), new Thrown("E", null, List.of(), null))),
            new Entry.Logged(PLACE, 2, "a line\nand \u0000 another"),
            new Entry.Answered(PLACE, 1, Answer.happened("1"), Answer.Source.WORKER),
            new Entry.Answered(PLACE, 1, new Answer.Happened(null, false), Answer.Source.VERIFY),
            new Entry.Answered(PLACE, 1, new Answer.DidNotHappen(FAILURE), Answer.Source.PERSON),
            new Entry.Answered(PLACE, 1, new Answer.Waived("anna"), Answer.Source.PERSON),
            new Entry.Duplicated(PLACE, 2, null),
            new Entry.CouldNotTell(PLACE, "w"),
            new Entry.ToldToAskAgain(PLACE, Duration.ofSeconds(1)),
            new Entry.Asked(QUESTION),
            new Entry.Decided(QUESTION, new Decision(Verdict.DONE, "1", true, AUDIT)),
            new Entry.Released(3, "why", Duration.ofSeconds(1)),
            new Entry.OwnerGone(3, true, 2),
            new Entry.Accounted(3, Instant.parse("2026-04-12T02:00:00.123Z")),
            new Entry.Retried(PLACE, AUDIT),
            new Entry.Retried(PLACE, AUDIT.at(new Origin("deploy", "build-7"))),
            new Entry.Resubmitted(AUDIT, "1"),
            new Entry.Waits(PLACE, Duration.ofDays(3)),
            new Entry.TimeUp(PLACE),
            new Entry.Delivered(new Message("id", Message.Kind.SIGNAL, "paid", "{\"a\":1}")),
            new Entry.Received(PLACE, -42),
            new Entry.ApprovalWanted(PLACE, "f", Duration.ofHours(12)),
            new Entry.Called(PLACE, new Identity("w", Key.of("a", "b"))),
            new Entry.CancelAsked(AUDIT),
            new Entry.Used(
                    PLACE,
                    2,
                    List.of(
                            Use.of("m").input(5).cached(2).output(3).tools(1).costing(17L),
                            Use.of("n").inBatch()),
                    Duration.ofSeconds(4)),
            new Entry.Said(PLACE, new Turn("user", "hello \n \u0000")),
            new Entry.Said(
                    PLACE, Turn.of("assistant", "").calling("1", "search", "{}").calling("2", "buy", "[]")),
            new Entry.Said(PLACE, Turn.of("tool", "").answering("1").referringTo(new Place("m@a", "charge", "7"))),
            new Entry.Requested(PLACE, "f"),
            new Entry.Heard(PLACE, -42),
            new Entry.LooksFail(PLACE, "refused"),
            new Entry.LooksFail(PLACE, null),
            new Entry.Owes(PLACE, new Place("each@1", "session", "a")),
            new Entry.OwesNoMore(PLACE),
            new Entry.RunsAs("2026-11-16"),
            new Entry.TracedAs("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
            new Entry.Progressed(Place.WORKFLOW, 3, 1, Progress.of("reading")),
            new Entry.Progressed(
                    PLACE, Entry.Progressed.INSIDE, 2, Progress.done(3, 7).at("writing")),
            new Entry.ArtifactKept(PLACE, new Artifact("text/html", 12, "ab", null)),
            new Entry.ArtifactKept(PLACE, new Artifact("video/mp4", 1 << 30, "ab", "/tmp/v.mp4")),
            new Entry.Discarded(AUDIT));

    @Test
    void every_kind_of_entry_reads_back() {
        Set<Class<?>> seen = new HashSet<>();
        for (var entry : ALL) {
            var text = EntryText.of(entry);
            assertThat(new EntryText(EntryText.EntryCode.of(text.entryCode().code()), text.place(), text.body())
                            .entry())
                    .isEqualTo(entry);
            seen.add(entry.getClass());
        }
        assertThat(seen).containsExactlyInAnyOrder(Entry.class.getPermittedSubclasses());
    }

    @Test
    void a_question_and_an_attempt_that_an_earlier_state_wrote_down_read_as_ever() {
        var asked = new EntryText(EntryText.EntryCode.ASKED, PLACE.toString(), Json.write(QUESTION));
        assertThat(asked.entry()).isEqualTo(new Entry.Asked(QUESTION));
        var intent = "{\"number\":1,\"fingerprint\":\"f\",\"lasts\":\"PT2M\","
                + "\"terms\":{\"memory\":null,\"verifiable\":false,\"settle\":\"PT0.001S\"}}";
        assertThat(new EntryText(EntryText.EntryCode.INTENDED, PLACE.toString(), intent).entry())
                .isEqualTo(new Entry.Intended(
                        PLACE, 1, "f", new Terms(null, false, Duration.ofMillis(1)), Duration.ofMinutes(2)));
    }

    @Test
    void an_answer_of_a_kind_that_nobody_knows_is_named() {
        var told = EntryText.of(new Entry.Answered(PLACE, 1, Answer.happened("1"), Answer.Source.WORKER));
        var dreamt = new EntryText(
                told.entryCode(),
                told.place(),
                Objects.requireNonNull(told.body()).replace("happened", "dreamt"));
        assertThatIllegalArgumentException().isThrownBy(dreamt::entry).withMessageContaining("dreamt");
    }

    @Test
    void an_unknown_kind_is_named() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EntryText.EntryCode.of(99))
                .withMessageContaining("newer Pawl");
    }

    @Test
    void an_audit_of_an_earlier_state_did_not_say_where_it_was_done() {
        var kept =
                new EntryText(EntryText.EntryCode.RETRIED, PLACE.toString(), "{\"who\":\"anna\",\"why\":\"because\"}");
        assertThat(kept.entry()).isEqualTo(new Entry.Retried(PLACE, AUDIT));
        assertThat(AUDIT.text()).isEqualTo("anna: because");
        assertThat(AUDIT.at(new Origin("anna", "build-7")).text()).isEqualTo("anna on build-7: because");
    }
}
