package dev.pawl.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Use;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Fingerprint;
import dev.pawl.effect.Terms;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a run that resumes knows from the journal: place by place, and nothing of other runs. */
class HistoryTest {
    private static final Instant T0 = Instant.parse("2026-04-12T02:00:00Z");
    private static final Place PAY = new Place("", "pay", "");
    private static final Place MAIL = new Place("", "mail", "");
    private static final Terms NONE = new Terms(null, false, Duration.ofSeconds(60));
    private static final Failure ACCOUNT = Failure.of(FailureClass.ACCOUNT, "a", "no credit");
    private static final Failure BROKEN = Failure.of(FailureClass.TRANSIENT, "t", "broken");

    private final List<JournalLine> lines = new ArrayList<>();

    private HistoryTest add(Entry entry) {
        return add(Changes.owned(1, lines.size()), 0, entry);
    }

    private HistoryTest add(long change, int resubmission, Entry entry) {
        lines.add(new JournalLine(lines.size() + 1, change, resubmission, T0.plusSeconds(lines.size()), entry));
        return this;
    }

    private History history() {
        return History.of(lines, 0);
    }

    private PlaceHistory pay() {
        return Objects.requireNonNull(history().at(PAY));
    }

    private static Entry.Intended intended(int number) {
        return new Entry.Intended(PAY, number, "f", NONE, Duration.ofMinutes(2));
    }

    private static Entry.Decided decided(QuestionKind kind, Verdict verdict) {
        return new Entry.Decided(
                new Question(9, kind, PAY, "because"), new Decision(verdict, "1", false, new Audit("anna", "looked")));
    }

    @Test
    void another_runs_records_are_not_its_own() {
        add(1, 1, new Entry.StepDone(PAY, "1"));
        assertThat(history().at(PAY)).isNull();
    }

    @Test
    void trouble_with_an_account_spends_no_attempt() {
        add(new Entry.StepTried(PAY, 1, ACCOUNT)).add(new Entry.StepTried(PAY, 2, BROKEN));
        assertThat(pay().spent()).isEqualTo(1);
        assertThat(pay().stepTries()).isEqualTo(2);
        assertThat(pay().lastFailure()).isEqualTo(BROKEN);
        assertThat(pay().bare()).isFalse();
    }

    @Test
    void a_place_of_questions_and_words_is_bare() {
        add(new Entry.Asked(new Question(9, QuestionKind.CODE_CHANGED, PAY, "because")));
        assertThat(pay().bare()).isTrue();
        assertThat(pay().standing()).isNotNull();
        add(intended(1));
        assertThat(pay().bare()).isFalse();
        assertThat(pay().standing()).as("something has happened since").isNull();
        lines.clear();
        add(new Entry.StepDone(PAY, "1"));
        assertThat(pay().bare()).isFalse();
    }

    @Test
    void an_act_that_outlives_its_worker_may_send_until_its_deadline_or_until_it_is_known_to_have_ended() {
        var lasts = Duration.ofMinutes(2);
        add(new Entry.Intended(PAY, 1, "f", NONE, lasts, true));
        add(new Entry.OwnerGone(1, true, 0));
        assertThat(pay().open().getFirst().window().sentUntil()).isEqualTo(T0.plus(lasts));
        assertThat(pay().open().getFirst().window().outlives()).isTrue();
        add(new Entry.Intended(PAY, 2, "f", NONE, lasts, true));
        add(new Entry.ActEnded(PAY, 1));
        assertThat(pay().open().getFirst().window().sentUntil()).isEqualTo(T0.plusSeconds(3));
        assertThat(pay().open().getFirst().window().outlives()).isFalse();
        assertThat(pay().open().getLast().window().outlives()).isTrue();
        lines.clear();
        add(new Entry.Intended(PAY, 1, "f", NONE, Duration.ofMillis(1), true)).add(new Entry.ActEnded(PAY, 1));
        assertThat(pay().open().getFirst().window().sentUntil())
                .as("an end that is heard of late makes no deadline later")
                .isEqualTo(T0.plusMillis(1));
    }

    @Test
    void what_was_written_for_people_is_no_history() {
        add(new Entry.Logged(PAY, 1, "text"));
        assertThat(history().at(PAY)).isNull();
        var much = new Entry.Logged(PAY, 1, "first" + "x".repeat(Entry.Logged.MOST_CHARS));
        assertThat(much.text())
                .as("the last is kept")
                .hasSize(Entry.Logged.MOST_CHARS)
                .doesNotContain("first");
    }

    @Test
    void the_first_ending_stands() {
        add(new Entry.GaveUp(PAY, BROKEN)).add(new Entry.StepDone(PAY, "1"));
        assertThat(pay().known()).isEqualTo(new PlaceHistory.Known.Failed(BROKEN));
        add(new Entry.Retried(PAY, new Audit("anna", "mended")));
        assertThat(pay().known()).isNull();
        lines.clear();
        add(new Entry.StepDone(PAY, "1")).add(new Entry.Retried(PAY, new Audit("anna", "mended")));
        assertThat(pay().known()).as("a result is not taken back").isEqualTo(new PlaceHistory.Known.Result("1", true));
    }

    @Test
    void a_yes_is_used_up_by_an_attempt_that_may_have_reached_the_world() {
        add(new Entry.ApprovalWanted(PAY, "f", Duration.ofDays(1)));
        var approval = Objects.requireNonNull(pay().approval());
        assertThat(approval.awaited(Fingerprint.exactly("f"), T0)).isTrue();
        assertThat(approval.awaited(Fingerprint.exactly("other"), T0)).isFalse();
        assertThat(approval.awaited(Fingerprint.exactly("f"), T0.plusSeconds(86_401)))
                .isFalse();
        add(intended(1));
        assertThat(Objects.requireNonNull(pay().approval()).used())
                .as("nothing was given yet")
                .isZero();
        add(decided(QuestionKind.APPROVE, Verdict.APPROVE));
        assertThat(Objects.requireNonNull(pay().approval()).awaited(Fingerprint.exactly("f"), T0))
                .isFalse();
        add(intended(2)).add(intended(3));
        assertThat(Objects.requireNonNull(pay().approval()).used())
                .as("the first used it")
                .isEqualTo(2);
        add(new Entry.Answered(PAY, 3, new Answer.DidNotHappen(BROKEN), Answer.Source.WORKER));
        assertThat(Objects.requireNonNull(pay().approval()).used()).isEqualTo(2);
        add(new Entry.Answered(PAY, 2, new Answer.DidNotHappen(BROKEN), Answer.Source.VERIFY));
        assertThat(Objects.requireNonNull(pay().approval()).used())
                .as("a look does not give it back")
                .isEqualTo(2);
        add(new Entry.Answered(PAY, 2, new Answer.DidNotHappen(BROKEN), Answer.Source.WORKER));
        assertThat(Objects.requireNonNull(pay().approval()).used()).isZero();
    }

    @Test
    void a_yes_that_nobody_asked_for_changes_nothing() {
        add(decided(QuestionKind.APPROVE, Verdict.APPROVE));
        assertThat(pay().approval()).isNull();
        add(decided(QuestionKind.APPROVE, Verdict.DENY));
        assertThat(pay().known()).isInstanceOf(PlaceHistory.Known.Failed.class);
    }

    @Test
    void a_persons_word_is_kept_while_something_is_in_doubt() {
        add(intended(1)).add(decided(QuestionKind.IN_DOUBT, Verdict.RETRY));
        assertThat(pay().retry()).isNotNull();
        add(intended(2));
        assertThat(pay().retry()).as("an attempt followed it").isNull();
        assertThat(pay().newOnPurpose()).isFalse();
        assertThat(pay().spent()).as("counted anew since then").isEqualTo(1);
        lines.clear();
        add(new Entry.CouldNotTell(PAY, "x")).add(decided(QuestionKind.IN_DOUBT, Verdict.RETRY));
        assertThat(pay().cannotTell()).isZero();
        lines.clear();
        add(intended(1)).add(decided(QuestionKind.CODE_CHANGED, Verdict.RETRY));
        assertThat(pay().retry()).as("it was about the code").isNull();
        assertThat(pay().newOnPurpose()).isTrue();
        lines.clear();
        add(new Entry.StepTried(PAY, 1, BROKEN)).add(decided(QuestionKind.IN_DOUBT, Verdict.RETRY));
        assertThat(pay().retry()).as("nothing is in doubt").isNull();
        add(decided(QuestionKind.IN_DOUBT, Verdict.SKIP));
        assertThat(pay().known()).isEqualTo(new PlaceHistory.Known.Skipped());
        add(decided(QuestionKind.IN_DOUBT, Verdict.DONE));
        assertThat(pay().known()).isEqualTo(new PlaceHistory.Known.Result("1", true));
        add(decided(QuestionKind.IN_DOUBT, Verdict.FAIL));
        assertThat(pay().known()).isInstanceOf(PlaceHistory.Known.Failed.class);
    }

    @Test
    void what_a_person_gives_up_certainly_did_not_happen_only_where_every_attempt_says_so() {
        add(intended(1)).add(decided(QuestionKind.IN_DOUBT, Verdict.FAIL));
        assertThat(givenUp()).isEqualTo(FailureClass.AMBIGUOUS);
        lines.clear();
        add(intended(1))
                .add(new Entry.Answered(PAY, 1, new Answer.Waived("anna"), Answer.Source.PERSON))
                .add(decided(QuestionKind.DRIFT, Verdict.FAIL));
        assertThat(givenUp()).isEqualTo(FailureClass.AMBIGUOUS);
        lines.clear();
        add(decided(QuestionKind.CODE_CHANGED, Verdict.FAIL));
        assertThat(givenUp()).as("it may have happened under another name").isEqualTo(FailureClass.AMBIGUOUS);
        lines.clear();
        add(intended(1))
                .add(new Entry.Answered(PAY, 1, new Answer.DidNotHappen(ACCOUNT), Answer.Source.WORKER))
                .add(decided(QuestionKind.ACCOUNT, Verdict.FAIL));
        assertThat(givenUp()).isEqualTo(FailureClass.PERMANENT);
    }

    private FailureClass givenUp() {
        return ((PlaceHistory.Known.Failed) Objects.requireNonNull(pay().known()))
                .failure()
                .kind();
    }

    @Test
    void an_effect_with_a_result_is_not_in_doubt() {
        add(intended(1)).add(intended(2));
        assertThat(history().inDoubt()).hasSize(1);
        assertThat(pay().open()).hasSize(2);
        add(new Entry.Answered(PAY, 2, Answer.happened("1"), Answer.Source.WORKER));
        assertThat(history().inDoubt()).isEmpty();
        add(new Entry.Answered(PAY, 1, new Answer.Waived("anna"), Answer.Source.PERSON));
        assertThat(pay().open()).isEmpty();
        assertThat(history().effectsIn("")).hasSize(1);
        assertThat(history().effectsIn("elsewhere")).isEmpty();
    }

    @Test
    void an_attempt_that_ended_with_trouble_of_the_account_is_not_spent() {
        add(intended(1)).add(new Entry.Answered(PAY, 1, new Answer.DidNotHappen(ACCOUNT), Answer.Source.WORKER));
        assertThat(pay().spent()).isZero();
        assertThat(pay().inDoubt()).isFalse();
    }

    @Test
    void nothing_is_sent_after_its_owner_left_or_was_known_to_be_gone() {
        add(intended(1)).add(new Entry.OwnerGone(1, false, 0));
        assertThat(pay().open().getFirst().window().sentUntil())
                .as("nobody knows")
                .isEqualTo(T0.plusSeconds(120));
        add(new Entry.OwnerGone(1, true, 0));
        assertThat(pay().open().getFirst().window().sentUntil()).isEqualTo(T0.plusSeconds(2));
        lines.clear();
        add(intended(1)).add(new Entry.Released(2, "another owner", Duration.ZERO));
        assertThat(pay().open().getFirst().window().sentUntil()).isEqualTo(T0.plusSeconds(120));
    }

    @Test
    void a_question_of_the_owner_tells_that_its_acts_have_ended() {
        var asked = new Entry.Asked(new Question(9, QuestionKind.IN_DOUBT, PAY, "because"));
        add(intended(1)).add(Changes.owned(1, 5), 0, asked);
        assertThat(pay().open().getFirst().window().sentUntil()).isEqualTo(T0.plusSeconds(1));
        lines.clear();
        add(intended(1)).add(Changes.owned(1, Changes.FIRST_OF_RESCUER), 0, asked);
        assertThat(pay().open().getFirst().window().sentUntil())
                .as("its rescuer asked")
                .isEqualTo(T0.plusSeconds(120));
        lines.clear();
        add(intended(1)).add(-7, 0, asked);
        assertThat(pay().open().getFirst().window().sentUntil())
                .as("nobody who had it asked")
                .isEqualTo(T0.plusSeconds(120));
    }

    @Test
    void a_signal_is_received_once_and_by_one() {
        var signal = new Message("s", Message.Kind.SIGNAL, "paid", "1");
        add(-1, 0, new Entry.Delivered(signal));
        add(-2, 0, new Entry.Delivered(new Message("t", Message.Kind.SIGNAL, "paid", "2")));
        assertThat(history().signal("paid", Set.of())).isEqualTo(-1);
        assertThat(history().signal("paid", Set.of(-1L)))
                .as("somebody else has set the first aside")
                .isEqualTo(-2);
        assertThat(history().signal("other", Set.of())).isNull();
        assertThat(history().message(-1)).isEqualTo(signal);
        add(new Entry.Received(PAY, -1));
        assertThat(history().signal("paid", Set.of())).isEqualTo(-2);
        assertThat(pay().known()).isEqualTo(new PlaceHistory.Known.Result("1", true));
        add(new Entry.Received(MAIL, -99));
        assertThat(history().at(MAIL)).as("of which nothing is here").isNull();
    }

    @Test
    void the_last_word_of_a_called_job_counts() {
        add(new Entry.Called(PAY, new Identity("c", Key.of("k"))));
        assertThat(history().hasCalled()).isTrue();
        assertThat(pay().child()).isEqualTo(new Identity("c", Key.of("k")));
        assertThat(history().childEnded(PAY)).isNull();
        add(-1, 0, new Entry.Delivered(new Message("a", Message.Kind.CHILD_ENDED, "pay", "1")));
        add(-2, 0, new Entry.Delivered(new Message("b", Message.Kind.CHILD_ENDED, "pay", "2")));
        add(-3, 0, new Entry.Delivered(new Message("c", Message.Kind.CHILD_ENDED, "mail", "3")));
        add(-4, 0, new Entry.Delivered(new Message("d", Message.Kind.SIGNAL, "pay", "4")));
        assertThat(history().childEnded(PAY)).extracting(Message::payload).isEqualTo("2");
        assertThat(History.of(List.of(), 0).hasCalled()).isFalse();
    }

    @Test
    void a_wait_lasts_from_when_it_was_recorded_until_something_is_done() {
        add(new Entry.Waits(PAY, Duration.ofSeconds(10)));
        assertThat(pay().waitsUntil()).isEqualTo(T0.plusSeconds(10));
        assertThat(pay().place()).isEqualTo(PAY);
        assertThat(pay().attempts()).isEmpty();
        add(intended(1));
        assertThat(pay().waitsUntil()).isNull();
        assertThat(pay().attempts()).hasSize(1);
        add(new Entry.Waits(PAY, Duration.ofSeconds(10))).add(new Entry.TimeUp(PAY));
        assertThat(pay().known()).isEqualTo(new PlaceHistory.Known.TimeUp());
    }

    @Test
    void what_was_said_or_kept_is_the_result_of_its_place() {
        var artifact = new Artifact("text/plain", 3, "0".repeat(64), null);
        add(new Entry.Said(PAY, new Turn("user", "hello"))).add(new Entry.ArtifactKept(MAIL, artifact));
        assertThat(pay().known()).isInstanceOf(PlaceHistory.Known.Result.class);
        assertThat(Objects.requireNonNull(history().at(MAIL)).known()).isInstanceOf(PlaceHistory.Known.Result.class);
    }

    @Test
    void an_attempt_that_was_put_aside_is_in_doubt_again_when_it_is_retried() {
        add(intended(1)).add(intended(2));
        add(new Entry.Answered(PAY, 1, new Answer.Waived("anna"), Answer.Source.PERSON));
        add(new Entry.Answered(PAY, 2, new Answer.DidNotHappen(BROKEN), Answer.Source.WORKER));
        add(new Entry.CouldNotTell(PAY, "x"));
        assertThat(pay().lastFailure()).isEqualTo(BROKEN);
        add(new Entry.Retried(PAY, new Audit("anna", "mended")));
        assertThat(pay().open()).hasSize(1);
        assertThat(pay().spent()).isZero();
        assertThat(pay().cannotTell()).isZero();
        assertThat(pay().lastFailure()).isNull();
    }

    @Test
    void a_yes_covers_one_request_until_it_expires_or_is_used() {
        var yes = new Approval("f", T0.plusSeconds(60), true, 0);
        assertThat(yes.covers(Fingerprint.exactly("f"), T0)).isTrue();
        assertThat(yes.covers(Fingerprint.exactly("g"), T0)).isFalse();
        assertThat(yes.covers(Fingerprint.exactly("f"), T0.plusSeconds(60))).isFalse();
        assertThat(yes.usedBy(1).covers(Fingerprint.exactly("f"), T0)).isFalse();
        assertThat(new Approval("f", T0.plusSeconds(60), false, 0).covers(Fingerprint.exactly("f"), T0))
                .isFalse();
    }

    @Test
    void what_is_no_places_own_leaves_a_place_alone() {
        var audit = new Audit("anna", "because");
        var place = new PlaceHistory(PAY);
        for (var entry : List.of(
                new Entry.Delivered(new Message("s", Message.Kind.SIGNAL, "paid", "1")),
                new Entry.Received(PAY, -1),
                new Entry.CancelAsked(audit),
                new Entry.Used(PAY, 1, List.of(), Duration.ZERO),
                new Entry.Logged(PAY, 1, "text"),
                new Entry.Released(1, "why", Duration.ZERO),
                new Entry.OwnerGone(1, true, 0),
                new Entry.Accounted(1, T0),
                new Entry.Heard(PAY, -1),
                new Entry.Requested(PAY, "f"),
                new Entry.LooksFail(PAY, null),
                new Entry.Owes(PAY, MAIL),
                new Entry.OwesNoMore(PAY),
                new Entry.RunsAs("v1"),
                new Entry.Progressed(PAY, 1, 1, Progress.done(1)),
                new Entry.Resubmitted(audit, null),
                new Entry.Discarded(audit))) {
            place.add(new JournalLine(1, 1, 0, T0, entry));
        }
        assertThat(place.bare()).isTrue();
    }

    @Test
    void what_was_said_and_used_is_counted_once() {
        var said = new Place("", "talk", "1");
        add(new Entry.Said(said, new Turn("user", "hello"))).add(new Entry.Said(said, new Turn("user", "again")));
        assertThat(history().turns(new Place("", "talk", ""))).containsExactly(new Turn("user", "hello"));
        assertThat(history().turns(PAY)).isEmpty();
        var used = new Entry.Used(PAY, 1, List.of(Use.of("m")), Duration.ofSeconds(1));
        add(used).add(used);
        assertThat(history().cost().wall()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void one_place_is_taken_over_from_a_newer_reading() {
        add(new Entry.StepTried(PAY, 1, BROKEN));
        var old = history();
        add(intended(1));
        var newer = history();
        old.adopt(newer, PAY);
        assertThat(old.inDoubt()).hasSize(1);
        old.adopt(newer, PAY);
        assertThat(old.effectsIn("")).as("once").hasSize(1);
        old.adopt(newer, MAIL);
        assertThat(old.at(MAIL)).isNull();
        var fresh = History.of(List.of(), 0);
        fresh.adopt(newer, PAY);
        assertThat(fresh.inDoubt()).hasSize(1);
        lines.clear();
        add(new Entry.StepDone(MAIL, "1"));
        fresh.adopt(history(), MAIL);
        assertThat(fresh.effectsIn("")).as("a step is no effect").hasSize(1);
    }

    @Test
    void what_only_tells_of_the_job_leaves_its_places_alone() {
        var audit = new Audit("anna", "because");
        add(new Entry.Resubmitted(audit, null)).add(new Entry.Discarded(audit)).add(new Entry.CancelAsked(audit));
        add(new Entry.CouldNotTell(PAY, "x")).add(new Entry.ToldToAskAgain(PAY, Duration.ofSeconds(1)));
        assertThat(pay().cannotTell()).isEqualTo(1);
        assertThat(pay().askedAgain()).isEqualTo(1);
        add(new Entry.Duplicated(PAY, 1, "1"));
        assertThat(pay().known()).isNull();
        add(new Entry.Noted(MAIL, "7"));
        assertThat(Objects.requireNonNull(history().at(MAIL)).known())
                .isEqualTo(new PlaceHistory.Known.Result("7", true));
    }

    @Test
    void a_person_who_says_what_became_of_an_attempt_changes_nothing_about_how_its_effect_ended() {
        add(intended(1)).add(new Entry.GaveUp(PAY, BROKEN));
        var ended = pay().known();
        assertThat(pay().inDoubt()).isTrue();
        add(decided(QuestionKind.NO_LONGER_CALLED, Verdict.DONE));
        assertThat(pay().known()).isEqualTo(ended);
        add(decided(QuestionKind.NO_LONGER_CALLED, Verdict.RETRY));
        assertThat(pay().known()).isEqualTo(ended);
        assertThat(pay().retry()).as("it is believed once nothing can land").isNotNull();
    }

    @Test
    void an_attempt_that_may_have_been_sent_late_is_open_again_and_outdates_what_was_said_before() {
        add(intended(1)).add(decided(QuestionKind.IN_DOUBT, Verdict.RETRY));
        add(new Entry.Answered(PAY, 1, new Answer.DidNotHappen(BROKEN), Answer.Source.PERSON));
        assertThat(pay().inDoubt()).isFalse();
        add(new Entry.Answered(PAY, 1, new Answer.Late(), Answer.Source.WORKER));
        assertThat(pay().inDoubt()).isTrue();
        assertThat(pay().retry()).isNull();
    }

    @Test
    void what_became_of_others_no_longer_matters_once_one_has_happened_although_its_result_was_not_kept() {
        add(intended(1)).add(intended(2));
        add(new Entry.Answered(PAY, 2, Answer.notKept("too long"), Answer.Source.WORKER));
        add(decided(QuestionKind.RESULT_NOT_KEPT, Verdict.SKIP));
        assertThat(pay().inDoubt()).isFalse();
    }

    @Test
    void how_far_a_job_has_come_is_what_was_said_last_whatever_was_recorded_last() {
        add(new Entry.Progressed(PAY, 2, 2, Progress.done(2)))
                .add(new Entry.Progressed(Place.WORKFLOW, 1, 1, Progress.done(1)));
        assertThat(history().progress()).isEqualTo(Progress.done(2));
        assertThat(history().progressTold(PAY.inside())).isEqualTo(2);
        assertThat(history().progressTold("")).isEqualTo(1);
        assertThat(history().progressTold("nowhere")).isZero();
    }

    @Test
    void a_turn_says_what_is_recorded_where_it_refers_to() {
        add(new Entry.StepDone(PAY, "\"paid\"")).add(new Entry.StepDone(MAIL, "{\"a\":1}"));
        assertThat(history().said(Turn.of("tool", "").referringTo(PAY)).content())
                .isEqualTo("paid");
        assertThat(history().said(Turn.of("tool", "").referringTo(MAIL)).content())
                .isEqualTo("{\"a\":1}");
        assertThat(history()
                        .said(Turn.of("tool", "").referringTo(new Place("", "never", "")))
                        .content())
                .isEmpty();
        assertThat(history().said(Turn.of("user", "hello"))).isEqualTo(Turn.of("user", "hello"));
    }

    @Test
    void of_a_look_and_an_answer_that_did_not_know_of_each_other_the_look_counts_because_the_code_went_on_with_it() {
        add(new Entry.StepDone(PAY, "1")).add(decided(QuestionKind.ELSEWHERE, Verdict.FAIL));
        assertThat(Objects.requireNonNull(history().at(PAY)).known())
                .isEqualTo(new PlaceHistory.Known.Result("1", true));
    }

    @Test
    void an_answer_that_a_look_did_not_know_of_gives_way_to_what_the_code_went_on_with() {
        var failure = Failure.of(FailureClass.PERMANENT, "elsewhere", "it failed there");
        add(decided(QuestionKind.ELSEWHERE, Verdict.DONE)).add(new Entry.GaveUp(PAY, failure));
        assertThat(Objects.requireNonNull(history().at(PAY)).known()).isEqualTo(new PlaceHistory.Known.Failed(failure));
        add(new Entry.StepDone(PAY, "2"));
        assertThat(Objects.requireNonNull(history().at(PAY)).known())
                .as("the first ending stands")
                .isEqualTo(new PlaceHistory.Known.Failed(failure));
    }

    @Test
    void who_is_told_to_hurry_waits_no_longer_where_something_failed_and_sleeps_on_where_nothing_did() {
        var hurry = new Entry.Delivered(Message.hurry("h", false, new Audit("anna", "now")));
        add(new Entry.Waits(PAY, Duration.ofSeconds(10))).add(hurry);
        assertThat(pay().waitsUntil()).as("a sleep is not cut short").isEqualTo(T0.plusSeconds(10));
        assertThat(pay().waitsSince()).isEqualTo(T0);
        for (var failed : List.of(new Entry.StepTried(PAY, 1, BROKEN), intended(1))) {
            lines.clear();
            add(failed).add(new Entry.Waits(PAY, Duration.ofSeconds(10))).add(hurry);
            assertThat(pay().waitsUntil()).as(failed.toString()).isNull();
            assertThat(pay().waitsSince()).as(failed.toString()).isNull();
        }
    }

    @Test
    void since_when_nobody_can_look_is_known_until_somebody_can_again_and_leaves_what_was_asked_standing() {
        add(new Entry.Asked(new Question(9, QuestionKind.ELSEWHERE, PAY, "because")));
        add(new Entry.LooksFail(PAY, "refused"));
        assertThat(pay().looksFailSince()).isEqualTo(T0.plusSeconds(1));
        assertThat(pay().standing()).isNotNull();
        add(new Entry.LooksFail(PAY, null));
        assertThat(pay().looksFailSince()).isNull();
        assertThat(pay().standing()).isNotNull();
    }

    @Test
    void how_far_a_job_has_come_is_what_its_last_owner_said_last() {
        add(Changes.owned(2, 0), 0, new Entry.Progressed(Place.WORKFLOW, 1, 5, Progress.of("second")));
        add(Changes.owned(1, 0), 0, new Entry.Progressed(Place.WORKFLOW, 1, 9, Progress.of("an earlier owner")));
        assertThat(history().progress()).isEqualTo(Progress.of("second"));
        add(Changes.owned(2, 1), 0, new Entry.Progressed(Place.WORKFLOW, 2, 4, Progress.of("said before")));
        assertThat(history().progress()).isEqualTo(Progress.of("second"));
        add(Changes.owned(2, 2), 0, new Entry.Progressed(Place.WORKFLOW, 3, 6, Progress.of("third")));
        assertThat(history().progress()).isEqualTo(Progress.of("third"));
        assertThat(history().progressAt()).isEqualTo(T0.plusSeconds(3));
    }

    @Test
    void only_a_signal_is_received_as_one() {
        add(-1, 0, new Entry.Delivered(new Message("a", Message.Kind.CHILD_ENDED, "paid", "1")));
        assertThat(history().signal("paid", Set.of())).isNull();
        add(-2, 0, new Entry.Delivered(new Message("b", Message.Kind.SIGNAL, "paid", "2")));
        assertThat(history().signal("paid", Set.of())).isEqualTo(-2);
    }

    @Test
    void a_turn_says_nothing_where_what_it_refers_to_has_no_result() {
        var there = Turn.of("tool", "").referringTo(PAY);
        add(new Entry.GaveUp(PAY, BROKEN));
        assertThat(history().said(there).content()).isEmpty();
        lines.clear();
        add(intended(1)).add(new Entry.Answered(PAY, 1, Answer.notKept("too long"), Answer.Source.WORKER));
        assertThat(history().said(there).content()).isEmpty();
    }
}
