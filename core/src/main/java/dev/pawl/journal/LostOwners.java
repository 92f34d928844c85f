package dev.pawl.journal;

import dev.pawl.effect.Answer;
import dev.pawl.key.Place;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Owners that were found gone, as long as the journal may still tell what each of them used. Uses are told inside steps and effects alone, and the code comes
 * to the same place again: an owner died in the effect whose attempt was open, or where the next one goes on. If that is a step which is simply run again, nobody
 * will ever know. Not thread-safe.
 */
final class LostOwners {
    private final Map<Long, Owner> owners = new LinkedHashMap<>();

    /**
     * An owner that was found gone.
     *
     * @param at when
     * @param left the attempt that was open then; null when none was
     * @param told whether somebody has said what that attempt used, since
     */
    private record Owner(Instant at, @Nullable LeftAttempt left, boolean told) {}

    /** An attempt that an owner left behind. */
    record LeftAttempt(Place place, int number) {}

    /** An owner was found gone at {@code at}, and left this attempt behind, or none. */
    void gone(long fence, Instant at, @Nullable LeftAttempt left) {
        owners.putIfAbsent(fence, new Owner(at, left, false));
    }

    /** Takes in what was recorded next. */
    void add(Entry entry) {
        switch (entry) {
            case Entry.Accounted e -> owners.remove(e.fence());
            case Entry.Used e -> told(new LeftAttempt(e.place(), e.number()));
            case Entry.Answered e -> {
                if (e.source() == Answer.Source.WORKER) {
                    told(new LeftAttempt(e.place(), e.number()));
                }
            }
            case Entry.StepDone ignored -> beyond();
            case Entry.StepTried ignored -> beyond();
            case Entry.Said ignored -> beyond();
            case Entry.Intended e -> {
                if (!e.place().scope().isEmpty()) {
                    beyond();
                }
            }
            default -> {}
        }
    }

    private void told(LeftAttempt attempt) {
        owners.replaceAll(
                (fence, owner) -> attempt.equals(owner.left()) ? new Owner(owner.at(), attempt, true) : owner);
    }

    /** Something was run again in which they may have been. */
    private void beyond() {
        owners.values().removeIf(owner -> owner.left() == null);
    }

    /** Those whose attempt was told of since. */
    List<Entry.Accounted> told() {
        return those(Owner::told);
    }

    /** Those who died outside of every effect. */
    List<Entry.Accounted> betweenEffects() {
        return those(owner -> owner.left() == null);
    }

    /** Those who left this attempt behind. */
    List<Entry.Accounted> leaving(Place place, int number) {
        return those(owner -> new LeftAttempt(place, number).equals(owner.left()));
    }

    private List<Entry.Accounted> those(Predicate<Owner> which) {
        return owners.entrySet().stream()
                .filter(owner -> which.test(owner.getValue()))
                .map(owner ->
                        new Entry.Accounted(owner.getKey(), owner.getValue().at()))
                .toList();
    }
}
