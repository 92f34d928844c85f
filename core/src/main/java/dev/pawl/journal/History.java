package dev.pawl.journal;

import dev.pawl.cost.Cost;
import dev.pawl.json.Json;
import dev.pawl.key.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a resumed run knows: for each place of the workflow, what was recorded there. Owned by one run; not thread-safe. */
public final class History {

    private final Map<Place, PlaceHistory> places = new LinkedHashMap<>();
    private final Map<String, List<PlaceHistory>> effects = new LinkedHashMap<>();
    private final Map<Long, Message> messages = new LinkedHashMap<>();
    private final Set<Long> received = new HashSet<>();
    private final Map<String, Cost> costs = new HashMap<>();
    private final LostOwners lostOwners = new LostOwners();
    private boolean called;
    private String version = "";
    private @Nullable String givenUpBecause;
    private @Nullable Progress progress;
    private @Nullable Instant progressAt;
    private long progressFence;
    private int progressOrder;
    private @Nullable String tracedAs;
    private final Map<String, Integer> progressTold = new HashMap<>();
    private final Map<Place, SequencedMap<String, Turn>> conversations = new HashMap<>();
    private final Map<Place, Place> owed = new LinkedHashMap<>();

    /** What {@code lines} tell about run {@code resubmission} of their job. */
    public static History of(Collection<JournalLine> lines, int resubmission) {
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

    /** Which version of its code the job goes on with; empty when no record says so. */
    public String version() {
        return version;
    }

    /** What the last run that said so is called in traces; null when none did. */
    public @Nullable String tracedAs() {
        return tracedAs;
    }

    /** Every effect in doubt, whatever its scope. */
    public List<PlaceHistory> inDoubt() {
        return effects.values().stream()
                .flatMap(List::stream)
                .filter(PlaceHistory::inDoubt)
                .toList();
    }

    /** Takes in what was recorded next. */
    public void add(JournalLine line) {
        lostOwners.add(line.entry());
        switch (line.entry()) {
            case Entry.Released released -> {
                givenUpBecause = released.why();
                noneSentAfter(released.fence(), line.at());
            }
            case Entry.OwnerGone gone -> {
                costs.put("fence " + gone.fence(), Cost.ofALostAttempt());
                if (inDoubt().stream().allMatch(effect -> effect.place().scope().isEmpty())) {
                    lostOwners.gone(gone.fence(), line.at(), leftOpen());
                }
                if (gone.known()) {
                    noneSentAfter(gone.fence(), line.at());
                }
            }
            case Entry.Accounted e -> costs.remove("fence " + e.fence());
            case Entry.Resubmitted ignored -> {}
            case Entry.Discarded ignored -> {}
            case Entry.CancelAsked ignored -> {}
            case Entry.Used e -> costs.put(e.place() + " " + e.number() + " " + e.wall(), Cost.of(e.uses(), e.wall()));
            case Entry.Said e -> {
                add(e.place(), line);
                conversations
                        .computeIfAbsent(conversation(e.place()), unused -> new LinkedHashMap<>())
                        .putIfAbsent(e.place().item(), e.turn());
            }
            case Entry.ArtifactKept e -> add(e.place(), line);
            case Entry.Requested e -> add(e.place(), line);
            case Entry.Heard e -> received.add(e.message());
            case Entry.LooksFail e -> add(e.place(), line);
            case Entry.Owes e -> owed.put(e.place(), e.awaited());
            case Entry.OwesNoMore e -> owed.remove(e.place());
            case Entry.RunsAs e -> version = e.version();
            case Entry.TracedAs e -> tracedAs = e.traceparent();
            case Entry.Progressed e -> {
                if (line.fence() > progressFence || (line.fence() == progressFence && e.order() > progressOrder)) {
                    progress = e.soFar();
                    progressAt = line.at();
                    progressFence = line.fence();
                    progressOrder = e.order();
                }
                progressTold.merge(e.place().inside(), e.number(), Math::max);
            }
            case Entry.Delivered e -> {
                messages.put(line.change(), e.message());
                if (e.message().kind() == Message.Kind.HURRY) {
                    places.values().forEach(place -> place.hurry(e.message().insists()));
                }
            }
            case Entry.Received e -> {
                received.add(e.message());
                var message = messages.get(e.message());
                if (message != null) {
                    place(e.place()).received(message);
                }
            }
            case Entry.Waits e -> add(e.place(), line);
            case Entry.TimeUp e -> add(e.place(), line);
            case Entry.ApprovalWanted e -> add(e.place(), line);
            case Entry.Called e -> {
                called = true;
                add(e.place(), line);
            }
            case Entry.StepDone e -> add(e.place(), line);
            case Entry.Noted e -> add(e.place(), line);
            case Entry.StepTried e -> add(e.place(), line);
            case Entry.GaveUp e -> add(e.place(), line);
            case Entry.Intended e -> add(e.place(), line);
            case Entry.ActEnded e -> add(e.place(), line);
            case Entry.Logged ignored -> {}
            case Entry.Threw ignored -> {}
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

    /** The first signal of this name that nobody has received, as the id of the change that delivered it; null when there is none. */
    public @Nullable Long signal(String name, Set<Long> except) {
        for (var message : messages.entrySet()) {
            var signal = message.getValue();
            if (signal.kind() == Message.Kind.SIGNAL
                    && signal.name().equals(name)
                    && !received.contains(message.getKey())
                    && !except.contains(message.getKey())) {
                return message.getKey();
            }
        }
        return null;
    }

    /** The message that this change delivered. */
    public Message message(long change) {
        return Objects.requireNonNull(messages.get(change));
    }

    /** The last that was heard of the child that was called at {@code place}; null when nothing was. */
    public @Nullable Message childEnded(Place place) {
        Message last = null;
        for (var message : messages.values()) {
            if (message.kind() == Message.Kind.CHILD_ENDED && message.name().equals(place.toString())) {
                last = message;
            }
        }
        return last;
    }

    /** What this run of the job has cost so far, without the jobs that it called. */
    public Cost cost() {
        return costs.values().stream().reduce(Cost.NOTHING, Cost::plus);
    }

    /** Owners that are gone, and left an attempt behind of which was told since what it used. */
    public List<Entry.Accounted> toldOf() {
        return lostOwners.told();
    }

    /** Owners that are gone and were in no effect: what they used nobody knows, unless the code comes to something that is no step first. */
    public List<Entry.Accounted> goneBetweenEffects() {
        return lostOwners.betweenEffects();
    }

    /** Owners that are gone and left this attempt behind. */
    public List<Entry.Accounted> goneFrom(Place place, int number) {
        return lostOwners.leaving(place, number);
    }

    /** The attempt in which the workflow's own thread is, if it is in one: the last that is open there. */
    private LostOwners.@Nullable LeftAttempt leftOpen() {
        return effects.getOrDefault("", List.of()).stream()
                .filter(PlaceHistory::inDoubt)
                .map(effect -> new LostOwners.LeftAttempt(
                        effect.place(), effect.open().getLast().number()))
                .reduce((earlier, later) -> later)
                .orElse(null);
    }

    /** Whether it has called other jobs. */
    public boolean hasCalled() {
        return called;
    }

    /** Why its last owner gave it up, where that was recorded; null when none did. */
    public @Nullable String givenUpBecause() {
        return givenUpBecause;
    }

    /** Effects that began something elsewhere whose end is owed, each with where that is awaited, in the order in which they began. */
    public Map<Place, Place> owed() {
        return Collections.unmodifiableMap(owed);
    }

    /** How far it has come, as its code said last; null when it never said. */
    public @Nullable Progress progress() {
        return progress;
    }

    /** When it said so; null when it never did. */
    public @Nullable Instant progressAt() {
        return progressAt;
    }

    /** How often a scope has said how far the job has come. */
    public int progressTold(String scope) {
        return progressTold.getOrDefault(scope, 0);
    }

    /** What was said in a conversation so far, in the order in which it was. */
    public List<Turn> turns(Place conversation) {
        return conversations.getOrDefault(conversation, new LinkedHashMap<>()).values().stream()
                .map(this::said)
                .toList();
    }

    /** A turn with what was said, also where that is recorded elsewhere. */
    public Turn said(Turn turn) {
        var place = turn.record();
        return place == null ? turn : turn.saying(result(place));
    }

    /** What is recorded at a place, as text: a text as it is, anything else as JSON; empty when nothing is. */
    private String result(Place place) {
        var history = places.get(place);
        var json = history != null && history.known() instanceof PlaceHistory.Known.Result result && result.kept()
                ? result.json()
                : null;
        if (json == null) {
            return "";
        }
        return json.startsWith("\"") ? Objects.requireNonNull(Json.read(json, String.class)) : json;
    }

    /** The conversation that a turn belongs to. */
    private static Place conversation(Place place) {
        return new Place(place.scope(), place.name(), "");
    }

    /** Takes over what a newer reading of the same journal knows about one place. */
    public void adopt(History newer, Place place) {
        var known = newer.at(place);
        var before = places.get(place);
        if (known == null) {
            return;
        }
        places.put(place, known);
        var effectsHere = effects.computeIfAbsent(place.scope(), unused -> new ArrayList<>());
        if (before != null) {
            effectsHere.remove(before);
        }
        if (known.isEffect()) {
            effectsHere.add(known);
        }
    }

    private PlaceHistory place(Place place) {
        return places.computeIfAbsent(place, PlaceHistory::new);
    }

    private void add(Place place, JournalLine line) {
        var history = place(place);
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
