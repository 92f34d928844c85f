package dev.pawl.journal;

import dev.pawl.key.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a resumed run knows: for each place of the workflow, what was recorded there. Owned by one run; not thread-safe. */
public final class History {

    private final Map<Place, PlaceHistory> places = new LinkedHashMap<>();
    private final Map<String, List<PlaceHistory>> effects = new LinkedHashMap<>();

    /** What {@code lines} tell about run {@code resubmission} of their job. */
    public static History of(Collection<Line> lines, int resubmission) {
        var history = new History();
        for (var line : lines) {
            if (line.resubmission() == resubmission) {
                history.add(line);
            }
        }
        return history;
    }

    /** What is known about {@code place}; null when nothing is. */
    public @Nullable PlaceHistory at(Place place) {
        return places.get(place);
    }

    /** Every place of a scope that has ever had an effect, in the order in which they were first met. */
    public List<PlaceHistory> effectsIn(String scope) {
        return List.copyOf(effects.getOrDefault(scope, List.of()));
    }

    /** Every effect in doubt, whatever its scope. */
    public List<PlaceHistory> inDoubt() {
        return effects.values().stream()
                .flatMap(List::stream)
                .filter(PlaceHistory::inDoubt)
                .toList();
    }

    /** Takes in what was recorded next. */
    public void add(Line line) {
        switch (line.entry()) {
            case Entry.Released released -> noneSentAfter(released.fence(), line.at());
            case Entry.OwnerGone gone -> {
                if (gone.known()) {
                    noneSentAfter(gone.fence(), line.at());
                }
            }
            case Entry.Resubmitted ignored -> {}
            case Entry.Discarded ignored -> {}
            case Entry.StepDone e -> add(e.place(), line);
            case Entry.Noted e -> add(e.place(), line);
            case Entry.StepTried e -> add(e.place(), line);
            case Entry.GaveUp e -> add(e.place(), line);
            case Entry.Intended e -> add(e.place(), line);
            case Entry.Answered e -> add(e.place(), line);
            case Entry.Duplicated e -> add(e.place(), line);
            case Entry.CouldNotTell e -> add(e.place(), line);
            case Entry.ToldToAskAgain e -> add(e.place(), line);
            case Entry.Asked e -> {
                add(e.place(), line);
                if (Changes.byOwner(line.change())) {
                    // A job asks when its run leaves, and a run leaves when its acts have ended.
                    noneSentAfter(line.fence(), line.at());
                }
            }
            case Entry.Decided e -> add(e.place(), line);
            case Entry.Retried e -> add(e.place(), line);
        }
    }

    private void add(Place place, Line line) {
        var history = places.computeIfAbsent(place, PlaceHistory::new);
        var before = history.isEffect();
        history.add(line);
        if (!before && history.isEffect()) {
            effects.computeIfAbsent(place.scope(), unused -> new ArrayList<>()).add(history);
        }
    }

    /** Nothing was sent under {@code fence} after {@code when}: its owner's acts had ended, or its process was gone. */
    private void noneSentAfter(long fence, Instant when) {
        for (var place : places.values()) {
            place.noneSentAfter(fence, when);
        }
    }
}
