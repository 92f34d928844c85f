package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.effect.Answer;
import dev.pawl.event.Event;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.journal.Entry;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FakeTime;
import dev.pawl.testkit.StoreDriver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What became of an attempt is told late rather than never, and so is what it means. */
class EvidenceTest {
    private final FakeTime time = new FakeTime();
    private final MemoryStore store = new MemoryStore(time);
    private final StoreDriver driver = new StoreDriver(store);
    private final ArrayList<Event> events = new ArrayList<>();
    private final EnginePorts ports = new EnginePorts(time, Threads.SYSTEM, new Random(1), events::add);
    private final Evidence evidence = new Evidence();

    /** A database that takes no results. */
    private final DelegatingStore picky = new DelegatingStore(store) {
        @Override
        public Exchanged exchange(List<Change> changes, Wanted wanted) {
            if (changes.stream()
                    .anyMatch(change -> change instanceof Change.AnswerAttempt answering
                            && answering.answer() instanceof Answer.Happened happened
                            && happened.kept())) {
                var refused = super.exchange(List.of(), wanted);
                return new Exchanged(List.of(new Applied.Refused("planned")), refused.claimed(), null, refused.now());
            }
            return super.exchange(changes, wanted);
        }
    };

    private void tell() {
        var committers = new Committers(picky, ports, new ClaimDesk(1, new Nobody()), 1, Duration.ofSeconds(1));
        committers.stop();
        evidence.tell(committers, new BudgetBooks(), new EventLog(ports, ""));
    }

    @Test
    void what_happened_is_told_without_its_result_when_the_store_refuses_that() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        evidence.keep(held.happened(1));
        tell();
        tell();
        assertThat(driver.entries(held))
                .filteredOn(entry -> entry instanceof Entry.Answered)
                .singleElement()
                .satisfies(entry ->
                        assertThat(((Entry.Answered) entry).answer()).isEqualTo(new Answer.Happened(null, false)));
        assertThat(events).isEmpty();
    }

    private static final class Nobody implements ClaimDesk.Crew {
        @Override
        public void start(Lease lease, Claimed claimed) {
            throw new IllegalStateException("nothing is claimed here");
        }

        @Override
        public void storeFailed(StoreFailure storeFailure) {
            throw storeFailure;
        }
    }

    @Test
    void what_is_refused_although_it_brings_no_result_is_told_no_more() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.happened(1));
        for (var answer : List.of(
                new Answer.Happened(null, false),
                new Answer.DidNotHappen(Failure.of(FailureClass.TRANSIENT, "no", "no")))) {
            evidence.keep(
                    new Change.AnswerAttempt(999, -7, held.happened(1).attempt(), answer, Answer.Source.WORKER, null));
            tell();
        }
        assertThat(driver.entries(held))
                .filteredOn(entry -> entry instanceof Entry.Answered)
                .hasSize(1);
        var told = driver.store().journal(held.job().id()).size();
        tell();
        assertThat(driver.store().journal(held.job().id())).hasSize(told);
    }
}
