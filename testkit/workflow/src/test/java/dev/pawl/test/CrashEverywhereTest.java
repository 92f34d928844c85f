package dev.pawl.test;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static dev.pawl.effect.Contract.verifiable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.effect.Contract;
import dev.pawl.effect.Verification;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** A user's workflow is killed everywhere: what the contracts promise holds, and a planted mistake is found. */
class CrashEverywhereTest {
    private static final Workflow<String, String> ORDER = Workflow.named("order", String.class, String.class);

    private final Outside outside = new Outside();

    @Test
    void every_contract_keeps_its_promise_at_every_crash() {
        Workflow.Body<String, String> body = (seenJob, what) -> {
            seenJob.sleep("let-it-settle", Duration.ofHours(8));
            var paid = seenJob.awaitSignal("paid", Integer.class, Duration.ofDays(3))
                    .orElseThrow();
            var price = seenJob.step("price", Integer.class, () -> 41 + paid);
            seenJob.approve("charge", price, "Charge it?", Duration.ofDays(1));
            seenJob.effect("charge", none(), price, String.class, (request, a) -> {
                outside.happened("a charge");
                return "charged";
            });
            seenJob.effect(
                    "ship",
                    verifiable(a ->
                            outside.times("a parcel") > 0 ? Verification.happened("ok") : Verification.didNotHappen()),
                    what,
                    String.class,
                    (request, a) -> {
                        outside.happened("a parcel");
                        return "ok";
                    });
            seenJob.map(
                    "mails",
                    List.of("anna", "bruno"),
                    to -> to,
                    (each, to) -> each.effect("mail", idempotent(), to, String.class, (request, a) -> "mailed"));
            return "done";
        };
        var report = CrashEverywhere.of(ORDER.implementedBy(body))
                .watching(outside)
                .signalled("paid", 1)
                .run(Key.of("7"), "lamp");
        assertThat(report.crashes()).isGreaterThan(20);
        assertThat(report.table())
                .contains("1   a charge")
                .contains("1   a parcel")
                .contains("effect mail");
        report.eachEffectHappenedOnce();
    }

    @Test
    void a_mail_that_is_sent_from_a_plain_step_is_found_and_the_table_says_where() {
        Workflow.Body<String, String> mistake = (seenJob, what) -> {
            seenJob.step("tell", String.class, () -> {
                outside.happened("a mail");
                return "sent";
            });
            return seenJob.effect("charge", idempotent(), what, String.class, (request, a) -> "charged");
        };
        var report = CrashEverywhere.of(ORDER.implementedBy(mistake))
                .watching(outside)
                .run(Key.of("7"), "lamp");
        assertThatThrownBy(report::eachEffectHappenedOnce)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("2+  a mail")
                .hasMessageContaining("WRONG, crashed before tell was recorded");
        assertThat(report.table()).contains("effect charge").contains("its destination deduplicates");
    }

    /** Asks when it is in doubt, and sends a mail where it must not. */
    static final class Order implements Crashable<String, String> {
        @Override
        public Workflow.Implementation<String, String> code(Outside world) {
            return ORDER.implementedBy((seenJob, what) -> {
                seenJob.effect("charge", none(), what, String.class, (request, a) -> {
                    world.happened("a charge");
                    return "charged";
                });
                return seenJob.step("tell", String.class, () -> {
                    world.happened("a mail");
                    return "sent";
                });
            });
        }
    }

    @Test
    void a_real_kill_shows_the_same() {
        var report = CrashEverywhere.forReal(Order.class).run(Key.of("7"), "lamp");
        assertThat(report.crashes()).isGreaterThan(5);
        assertThat(report.table())
                .contains("1   a charge")
                .contains("1   effect charge")
                .contains("2+  a mail")
                .contains("WRONG, crashed before tell was recorded");
        assertThatThrownBy(report::eachEffectHappenedOnce).isInstanceOf(AssertionError.class);
    }

    /** A destination that remembers what was done, and can be asked. */
    private static final class Bank implements Crashable<String, String> {
        private final Map<String, String> payments = new ConcurrentHashMap<>();

        @Override
        public Workflow.Implementation<String, String> code(Outside outside) {
            return ORDER.implementedBy((job, what) -> job.effect(
                    "pay",
                    Contract.giving(String.class)
                            .verifiable(attempt -> payments.containsKey(attempt.key())
                                    ? Verification.happened(payments.get(attempt.key()))
                                    : Verification.didNotHappen()),
                    what,
                    String.class,
                    (request, attempt) -> {
                        outside.happened("a payment");
                        payments.put(attempt.key(), "paid " + request);
                        return "paid " + request;
                    }));
        }
    }

    @Test
    void doubles_that_remember_are_made_anew_for_each_crash() {
        var report = CrashEverywhere.making(Bank::new).run(Key.of("7"), "lamp").eachEffectHappenedOnce();
        assertThat(report.table()).contains("1   a payment").doesNotContain("WRONG");
        assertThat(report.crashes()).isGreaterThan(3);

        var shared = new Bank();
        var outside = new Outside();
        var falseAlarm =
                CrashEverywhere.of(shared.code(outside)).watching(outside).run(Key.of("7"), "lamp");
        assertThat(falseAlarm.table())
                .as("a double that knows of another crash says that it has happened already")
                .contains("0   a payment");
    }

    @Test
    void a_workflow_that_fails_after_a_crash_is_told() {
        var runs = ConcurrentHashMap.<String>newKeySet();
        Workflow.Body<String, String> forgetful = (seenJob, what) -> {
            if (!runs.add("first run") && runs.size() == 1) {
                throw new PermanentFailure("it was here before");
            }
            return seenJob.step("s", String.class, () -> what);
        };
        assertThatThrownBy(() -> CrashEverywhere.of(ORDER.implementedBy(forgetful))
                        .run(Key.of("7"), "lamp")
                        .eachEffectHappenedOnce())
                .hasMessageContaining("is FAILED (: it was here before) when crashed");
    }
}
