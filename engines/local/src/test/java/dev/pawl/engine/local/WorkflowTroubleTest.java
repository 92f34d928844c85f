package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.event.Events;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a workflow's own code throws is judged like what its steps throw. */
class WorkflowTroubleTest {
    private static final Workflow<Integer, Integer> W = Workflow.named("w", Integer.class, Integer.class);

    @Test
    void account_trouble_that_may_be_over_soon_waits_for_no_person() throws Exception {
        var over = new AtomicBoolean();
        var store = new MemoryStore(Time.system());
        var ports = EnginePorts.system(Events.NOWHERE);
        try (var engine = new LocalEngine(store, ports, EngineOptions.usual("w").poll(Duration.ofMillis(20)))) {
            engine.work(List.of(W.implementedBy((job, input) -> {
                if (!over.getAndSet(true)) {
                    throw new AccountTrouble("no quota", Duration.ofMillis(200));
                }
                return input;
            })));
            engine.submit(new Identity("w", Key.of(1)), "1");
            var job = store.find(new Identity("w", Key.of(1))).orElseThrow();
            while (store.gates().isEmpty()) {
                Time.system().await(Duration.ofMillis(2));
            }
            assertThat(store.gates()).singleElement().satisfies(gate -> {
                var closing = gate.closing();
                assertThat(closing == null || Objects.nonNull(closing.until())).isTrue();
            });
            assertThat(engine.await(job.id(), Duration.ofMinutes(1)))
                    .hasValueSatisfying(it -> assertThat(it.state()).isEqualTo(JobState.DONE));
        }
    }
}
