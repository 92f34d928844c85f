package dev.pawl;

import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.effect.Contract;
import dev.pawl.event.Events;
import dev.pawl.failure.JobFailed;
import dev.pawl.failure.JobPaused;
import dev.pawl.failure.SubmitConflict;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Types that gain components nobody has to give, while jobs are in flight; and types that cannot be kept. */
class ShapesTest {
    private static final Key KEY = Key.of("1");
    private static final Audit ANNA = new Audit("anna", "I looked");

    /** Yesterday's. */
    record Order(String what) {}

    /** Today's. */
    record OrderNow(String what, @Nullable Integer copies) {}

    sealed interface Shape permits Square {}

    record Square(int side) implements Shape {}

    private static final Workflow<Order, String> YESTERDAY = Workflow.named("order", Order.class, String.class);
    private static final Workflow<OrderNow, String> TODAY = Workflow.named("order", OrderNow.class, String.class);

    private final Store store = new MemoryStore(Time.system());

    private Pawl pawl() {
        return Pawl.over(store, PawlOptions.usual().log(Events.NOWHERE));
    }

    @Test
    void an_input_whose_type_gained_a_component_that_nobody_gives_is_the_same_work() throws InterruptedException {
        try (var pawl = pawl()) {
            pawl.work(YESTERDAY.implementedBy((job, order) ->
                    job.awaitSignal("paid", String.class, Duration.ofDays(1)).orElseThrow()));
            pawl.submit(YESTERDAY, KEY, new Order("lamp"));
            awaitState(pawl, JobState.WAITING);
        }
        try (var pawl = pawl()) {
            var again = pawl.submit(TODAY, KEY, new OrderNow("lamp", null));
            assertThat(again.how()).isEqualTo(Submission.Arrival.SAME);
            assertThatExceptionOfType(SubmitConflict.class)
                    .isThrownBy(() -> pawl.submit(TODAY, KEY, new OrderNow("lamp", 2)));
            pawl.work(TODAY.implementedBy((job, order) -> order.copies()
                    + job.awaitSignal("paid", String.class, Duration.ofDays(1)).orElseThrow()));
            pawl.signal(TODAY, KEY, "paid", "cash", "s");
            assertThat(again.join()).isEqualTo("nullcash");
        }
    }

    @Test
    void an_approval_and_an_attempt_that_is_in_doubt_are_for_the_request_that_gained_a_component()
            throws InterruptedException {
        var sent = Collections.synchronizedList(new ArrayList<String>());
        try (var pawl = pawl()) {
            pawl.work(YESTERDAY.implementedBy((job, order) -> {
                job.approve(named("send"), order, "send it?", Duration.ofDays(1));
                return job.effect(named("send"), Contract.none(), order, String.class, (request, attempt) -> {
                    sent.add(request.what());
                    throw new IllegalStateException("no answer");
                });
            }));
            var submission = pawl.submit(YESTERDAY, KEY, new Order("lamp"));
            assertThatExceptionOfType(JobPaused.class)
                    .isThrownBy(submission::join)
                    .withMessageContaining("send it?");
        }
        try (var pawl = pawl()) {
            pawl.decide(TODAY, KEY, Decision.approve().by(ANNA));
            pawl.work(TODAY.implementedBy((job, order) -> {
                job.approve(named("send"), order, "send it?", Duration.ofDays(1));
                return job.effect(named("send"), Contract.none(), order, String.class, (request, attempt) -> {
                    sent.add(request.what() + request.copies());
                    throw new IllegalStateException("no answer");
                });
            }));
            assertThatExceptionOfType(JobPaused.class)
                    .isThrownBy(() ->
                            pawl.submit(TODAY, KEY, new OrderNow("lamp", null)).join())
                    .withMessageContaining("no answer")
                    .withMessageNotContaining("drift");
        }
        assertThat(sent).containsExactly("lampnull");
    }

    @Test
    void what_could_not_be_read_again_is_refused_where_it_is_submitted_or_worked_on() {
        var shapes = Workflow.named("shapes", Shape.class, String.class);
        var drawn = Workflow.named("drawn", String.class, Shape.class);
        try (var pawl = pawl()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pawl.submit(shapes, KEY, new Square(1)))
                    .withMessageContaining("Shape is sealed");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pawl.submit(drawn, KEY, "x"))
                    .withMessageContaining("Shape is sealed");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pawl.work(shapes.implementedBy((job, shape) -> "x")))
                    .withMessageContaining("Shape is sealed");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pawl.work(drawn.implementedBy((job, text) -> new Square(1))));
        }
    }

    @Test
    void a_result_that_could_not_be_read_again_is_refused_before_anything_acts() {
        var sent = Collections.synchronizedList(new ArrayList<String>());
        try (var pawl = pawl()) {
            pawl.work(YESTERDAY.implementedBy((job, order) -> job.effect(
                            "draw", Contract.<Shape>none(), order, Shape.class, (request, attempt) -> {
                                sent.add("drawn");
                                return new Square(1);
                            })
                    .toString()));
            assertThatExceptionOfType(JobFailed.class)
                    .isThrownBy(
                            () -> pawl.submit(YESTERDAY, KEY, new Order("x")).join())
                    .withMessageContaining("Shape is sealed");
        }
        assertThat(sent).isEmpty();
    }

    @Test
    void an_input_has_the_limit_that_results_have() {
        try (var pawl = pawl()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pawl.submit(YESTERDAY, KEY, new Order("x".repeat(5 << 20))))
                    .withMessageContaining("the most is 4194304")
                    .withMessageContaining("keep it in a file");
            assertThat(pawl.find(YESTERDAY, KEY)).isEmpty();
        }
    }

    private static void awaitState(Pawl pawl, JobState state) throws InterruptedException {
        while (pawl.find(YESTERDAY, KEY).orElseThrow().state() != state) {
            Time.system().await(Duration.ofMillis(5));
        }
    }
}
