package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Prices;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.event.Event;
import dev.pawl.event.Events;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.journal.Message;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowRef;
import dev.pawl.ledger.RowWord;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FakeTime;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What becomes of jobs whose worker died is told by what they need next. */
class EventLogTest {
    private final ArrayList<Event> events = new ArrayList<>();
    private final EventLog log = new EventLog(
            new EnginePorts(Time.system(), Threads.SYSTEM, new Random(1), events::add), " --store '/a b/x.db'");
    private final StoreDriver driver = new StoreDriver(new MemoryStore(new FakeTime()));

    /** A worker dies with the job alone until that is struck out. */
    private StoreDriver.Held struckOut(String key, boolean inDoubt) {
        var held = driver.hold(key, driver.enlist(1));
        if (inDoubt) {
            driver.apply(held.intend(1));
        }
        for (var worker = 2L; driver.state(held) == JobState.RUNNING; worker++) {
            driver.apply(new Change.TakeOver(worker - 1, 0, WorkerEnd.PROCESS_GONE));
            if (driver.state(held) == JobState.READY) {
                held = driver.claimed(driver.claim(driver.enlist(worker), 1).getFirst());
            }
        }
        return held;
    }

    @Test
    void a_job_that_goes_on_one_that_failed_and_one_that_asks_are_told_apart() {
        var ready = driver.job(driver.hold("a", driver.enlist(99)).job().id());
        log.rescued(ready);
        var failed = driver.job(struckOut("b", false).job().id());
        assertThat(failed.state()).isEqualTo(JobState.FAILED);
        log.rescued(failed);
        var asks = driver.hold("c", 99);
        driver.apply(asks.intend(1));
        driver.apply(asks.askAbout(QuestionKind.IN_DOUBT));
        log.rescued(driver.job(asks.job().id()));
        assertThat(events).extracting(Event::name).containsExactly("rescued", "failed", "asks");
        assertThat(events.get(1).line()).contains("pawl retry");
        assertThat(events.get(2).line()).contains("pawl show");
    }

    @Test
    void what_is_told_to_be_typed_names_the_store_and_all_that_is_required() {
        var job = driver.job(driver.hold("a", driver.enlist(1)).job().id());
        var named = job.identity() + "";
        log.duplicated(job, new Place("", "send", ""), 2, Answer.happened(null));
        log.gateClosed(job, "account/x", Gate.Cause.ACCOUNT, "no credit", null);
        var failed = driver.job(struckOut("b", false).job().id());
        log.rescued(failed);
        assertThat(events.get(0).line()).endsWith("next=\"pawl discard " + named + " --note WHY --store '/a b/x.db'\"");
        assertThat(events.get(1).line()).endsWith("next=\"pawl open account/x --note WHY --store '/a b/x.db'\"");
        assertThat(events.get(2).line())
                .endsWith("next=\"pawl retry " + failed.identity() + " --note WHY --store '/a b/x.db'\"");
    }

    @Test
    void a_store_that_a_field_would_show_otherwise_is_for_its_caller_to_name() {
        var odd = new EventLog(
                new EnginePorts(Time.system(), Threads.SYSTEM, new Random(1), events::add), " --store 'it'\\''s.db'");
        odd.duplicated(
                driver.job(driver.hold("a", driver.enlist(1)).job().id()),
                new Place("", "send", ""),
                2,
                Answer.happened(null));
        assertThat(events.getFirst().line()).endsWith(" --note WHY --store STORE\"");
    }

    @Test
    void what_somebody_asked_this_process_for_is_told_with_what_became_of_it_and_nothing_else() {
        var rows = List.of(NewRow.of(Key.of("a"), "1"));
        var answer = new RowAnswer("a", 1, 1, new RowAnswer.RowEnding.NeverSent("n"), null);
        var message = new Message("1", Message.Kind.SIGNAL, "s", "1");
        var asked = new LinkedHashMap<Change, String>();
        asked.put(new Change.Decide(7, -5, 5, StoreDriver.decision(Verdict.RETRY)), "decide");
        asked.put(new Change.Deliver(7, message), "deliver");
        asked.put(new Change.RetryJob(7, -5, StoreDriver.ANNA), "retry-job");
        asked.put(new Change.ResubmitJob(7, -5, StoreDriver.ANNA), "resubmit-job");
        asked.put(new Change.DiscardJob(7, -5, StoreDriver.ANNA), "discard-job");
        asked.put(new Change.CancelJob(7, -5, StoreDriver.ANNA), "cancel-job");
        asked.put(new Change.OpenGate("g", 1, null), "open-gate");
        asked.put(new Change.LimitQueue("q", 1), "limit-queue");
        asked.put(new Change.KeepPrices(Prices.none(), StoreDriver.ANNA), "keep-prices");
        asked.put(new Change.PruneJobs(Instant.EPOCH, 1), "prune-jobs");
        asked.put(new Change.EnrolRows("c", rows, false), "enrol-rows");
        asked.put(new Change.ReconcileRows("c", List.of(answer), 1), "reconcile-rows");
        asked.put(
                new Change.SayOfRows("c", List.of(new RowRef("a", 1)), new RowWord.Drop(), StoreDriver.ANNA),
                "say-of-rows");
        asked.put(new Change.NotePart("c", "p", "{}"), "note-part");
        asked.put(new Change.PruneRows("c", Instant.EPOCH, 1), "prune-rows");
        asked.keySet().forEach(change -> log.changed(change, Applied.now()));
        assertThat(events).extracting(Event::name).containsExactlyElementsOf(asked.values());
        assertThat(events).allMatch(event -> event.line().contains("how=now"));

        events.clear();
        var held = driver.hold("a", driver.enlist(1));
        for (var told : List.of(
                new Change.SubmitJob(StoreDriver.identity("b"), "1", null),
                held.happened(1),
                new Change.MendTimes(1),
                new Change.GoOn(1, 0),
                held.finish("1"),
                new Change.Beat(1, 1))) {
            log.changed(told, Applied.now());
        }
        assertThat(events).as("that is told otherwise").isEmpty();
    }

    @Test
    void what_became_of_it_is_a_word_that_stays() {
        var job = driver.job(driver.hold("a", driver.enlist(1)).job().id());
        var words = new LinkedHashMap<Applied, String>();
        words.put(Applied.now(), "now");
        words.put(Applied.already(), "already");
        words.put(new Applied.Replaced(job), "replaced");
        words.put(new Applied.Duplicated(job), "duplicated");
        words.put(new Applied.Pruned(1), "pruned");
        words.put(new Applied.TookOver(List.of(), false), "took-over");
        words.put(new Applied.Beaten(Set.of()), "beaten");
        words.put(new Applied.OfRows(List.of()), "of-rows");
        words.put(new Applied.Mended(1, Duration.ZERO, false), "mended");
        words.put(new Applied.LeaseLost(), "lease-lost");
        words.put(new Applied.Conflict("no", null), "conflict");
        words.put(new Applied.NotYet(Duration.ZERO), "not-yet");
        words.put(new Applied.CalledOff(), "called-off");
        words.put(new Applied.Refused("no"), "refused");
        words.forEach((applied, word) -> {
            events.clear();
            log.submitted(StoreDriver.identity("a"), applied);
            assertThat(events.getFirst().line()).endsWith(" how=" + word);
        });
    }

    @Test
    void a_listener_that_cannot_say_what_it_wants_to_hear_is_not_told_that_all_is_well() {
        var heard = new ArrayList<Event>();
        var broken = new Events() {
            @Override
            public void happened(Event event) {
                heard.add(event);
            }

            @Override
            public boolean wants(Event.Level level) {
                throw new IllegalStateException("broken");
            }
        };
        var odd = new EventLog(new EnginePorts(Time.system(), Threads.SYSTEM, new Random(1), broken), "");
        odd.claimed(driver.job(driver.hold("a", driver.enlist(1)).job().id()), Duration.ofSeconds(30));
        assertThat(heard).isEmpty();
    }

    @Test
    void a_gate_whose_name_no_field_shows_as_it_is_typed_is_opened_from_the_list() {
        var job = driver.job(driver.hold("a", driver.enlist(1)).job().id());
        log.gateClosed(job, "account/it's mine", Gate.Cause.ACCOUNT, "no credit", null);
        assertThat(events.getLast().line()).endsWith("next=\"pawl gates --store '/a b/x.db'\"");
        for (var odd : List.of(" --store \"x\"", " --store " + "x".repeat(2_000))) {
            var said = new EventLog(new EnginePorts(Time.system(), Threads.SYSTEM, new Random(1), events::add), odd);
            said.gateClosed(job, "account/x", Gate.Cause.ACCOUNT, "no credit", null);
            assertThat(events.getLast().line()).endsWith("--note WHY --store STORE\"");
        }
    }
}
