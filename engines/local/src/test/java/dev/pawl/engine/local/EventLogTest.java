package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Answer;
import dev.pawl.event.Event;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.store.Change;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FakeTime;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.time.Time;
import java.util.ArrayList;
import java.util.Random;
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
}
