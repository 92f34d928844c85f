package dev.pawl.examples;

import static dev.pawl.effect.Contract.idempotent;

import dev.pawl.Pawl;
import dev.pawl.failure.Rejected;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;

/** A failure that the workflow catches and makes amends for. It is recorded: a resume sees the same failure and does not try again. */
public final class MakeAmends {

    private static final Workflow<String, String> BOOK = Workflow.named("book-trip", String.class, String.class);

    private MakeAmends() {}

    /** Books a flight, cannot book the hotel, cancels the flight. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            pawl.work(BOOK.implementedBy((job, city) -> {
                var flight =
                        job.effect("flight", idempotent(), city, String.class, (request, a) -> "flight to " + request);
                try {
                    return job.effect("hotel", idempotent(), city, String.class, (request, a) -> {
                        throw new Rejected("no rooms in " + request);
                    });
                } catch (StepFailed noHotel) {
                    return job.effect(
                            "cancel-flight",
                            idempotent(),
                            flight,
                            String.class,
                            (request, a) -> "cancelled the " + request);
                }
            }));
            System.out.println(
                    pawl.submit(BOOK, Key.of("anna", "2026-05-01"), "Lisbon").join());
        }
    }
}
