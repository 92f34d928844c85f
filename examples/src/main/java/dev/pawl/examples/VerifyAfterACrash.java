package dev.pawl.examples;

import dev.pawl.effect.Attempt;
import dev.pawl.effect.Contract;
import dev.pawl.effect.Verification;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.test.CrashEverywhere;
import dev.pawl.test.Crashable;
import dev.pawl.test.Outside;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Kill a workflow whose bank can be asked: a test double that remembers is made anew for each crash, and outlives the process. */
public final class VerifyAfterACrash implements Crashable<String, String> {
    private static final Workflow<String, String> ORDER = Workflow.named("order", String.class, String.class);

    private final Map<String, String> payments = new ConcurrentHashMap<>();

    /** What the destination says when it is asked for the work of an attempt. */
    private Verification<String> find(Attempt attempt) {
        var payment = payments.get(attempt.key());
        return payment == null ? Verification.didNotHappen() : Verification.happened(payment);
    }

    @Override
    public Workflow.Implementation<String, String> code(Outside outside) {
        var contract = Contract.giving(String.class).verifiable(this::find);
        return ORDER.implementedBy((job, what) ->
                job.effect("pay", contract, what, String.class, (request, attempt) -> {
                    outside.happened("a payment for the " + request);
                    payments.put(attempt.key(), "receipt of the " + request);
                    return "receipt of the " + request;
                }));
    }

    /** Kills it at every commit, and counts the payments. */
    public static void main(String[] arguments) {
        System.out.print(CrashEverywhere.making(VerifyAfterACrash::new)
                .run(Key.of(7), "lamp")
                .eachEffectHappenedOnce()
                .table());
    }
}
