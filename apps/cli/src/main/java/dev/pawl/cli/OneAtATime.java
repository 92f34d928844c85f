package dev.pawl.cli;

import dev.pawl.desk.Fields;
import dev.pawl.desk.Words;
import dev.pawl.guard.Guard;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Does something unless somebody who is alive does it already; then this one stands down, and all is well. */
final class OneAtATime {

    private static final String OVER = " over ";

    /** When a file was written last, in what tells one work from another by the very moment. */
    private static final Pattern MOMENT = Pattern.compile("(?<= of )\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z(?=, \\d+ bytes$)");

    private OneAtATime() {}

    /** What is done alone. */
    interface GuardedWork {
        int run(Guard.TryResult.Ours ours) throws Exception;
    }

    /** Hears why somebody stands down. */
    interface StandDown {
        /** @param loud whether something is left to do, which is said to everybody */
        void tell(String why, boolean loud);

        /** Says it, unless nobody wants to hear when all is well. */
        static StandDown unless(boolean quiet) {
            return (why, loud) -> {
                if (loud || !quiet) {
                    Warnings.say(why);
                }
            };
        }

        /** The same, and machines that read one object a line get theirs. */
        default StandDown and(JsonOption json, String what, String name) {
            return (why, loud) -> {
                tell(why, loud);
                if (json.wanted()) {
                    json.say("", Fields.of(what, name, "state", "stood down", "why", why));
                }
            };
        }
    }

    static int run(StoreOption store, String guard, String what, StandDown told, GuardedWork work) throws Exception {
        return run(store, guard, what, "", told, work);
    }

    /**
     * The same for work over something.
     *
     * @param over what it is done over, for people; empty when nothing tells one from the other. Whoever does it over something else has not done this
     */
    static int run(StoreOption store, String guard, String what, String over, StandDown told, GuardedWork work)
            throws Exception {
        store.requireRights();
        var who = "process " + ProcessHandle.current().pid() + (over.isEmpty() ? "" : OVER + over);
        return switch (take(store.places("guards"), guard, who)) {
            case Guard.TryResult.Taken taken -> {
                var by = "by " + forPeople(taken.by().who()) + " since "
                        + Words.local(taken.by().since());
                if (over.isEmpty() || taken.by().who().endsWith(OVER + over)) {
                    yield standsDown(what, by, told);
                }
                told.tell(
                        what + " is running, " + by + ", and not over " + forPeople(over)
                                + "; this one stands down, and is to be run again",
                        true);
                yield ExitCodes.UNFINISHED;
            }
            case Guard.TryResult.Ours ours -> {
                try {
                    yield work.run(ours);
                } finally {
                    ours.guard().close();
                }
            }
        };
    }

    /** Takes it in all its places, or in none. Which was held last is known before any is taken: whoever holds one cannot look. */
    private static Guard.TryResult take(List<Path> places, String guard, String who) throws IOException {
        if (places.size() == 1) {
            return Guard.take(places.getFirst(), guard, who, Time.system());
        }
        var before = last(places, guard).map(Guard.Last::note).orElse("");
        Guard held = null;
        // The first place is taken last, and is what was held last when all are as old.
        for (var place : places.reversed()) {
            switch (Guard.take(place, guard, who, Time.system())) {
                case Guard.TryResult.Taken taken -> {
                    if (held != null) {
                        held.close();
                    }
                    return taken;
                }
                case Guard.TryResult.Ours ours ->
                    held = held == null ? ours.guard() : ours.guard().with(held);
            }
        }
        var all = Objects.requireNonNull(held);
        all.note(before);
        return new Guard.TryResult.Ours(all, before);
    }

    /** What was left last with a guard of the store, by whoever held it last. Not for whoever holds it. */
    static Optional<Guard.Last> last(StoreOption store, String guard) throws IOException {
        return last(store.places("guards"), guard);
    }

    private static Optional<Guard.Last> last(List<Path> places, String guard) throws IOException {
        Guard.Last newest = null;
        for (var place : places) {
            var last = Guard.last(place, guard).orElse(null);
            if (last != null
                    && (newest == null
                            || last.holder().since().isAfter(newest.holder().since()))) {
                newest = last;
            }
        }
        return Optional.ofNullable(newest);
    }

    static int standsDown(String what, String why, StandDown told) {
        told.tell(what + " is running, " + why + "; this one stands down", false);
        return 0;
    }

    /** The same as people read it, by their own clock. */
    private static String forPeople(String over) {
        return MOMENT.matcher(over)
                .replaceAll(moment -> Matcher.quoteReplacement(Words.local(Instant.parse(moment.group()))));
    }
}
