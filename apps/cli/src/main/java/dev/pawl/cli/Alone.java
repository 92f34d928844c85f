package dev.pawl.cli;

import dev.pawl.guard.Guard;
import dev.pawl.time.Time;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Does something unless somebody who is alive does it already; then this one stands down, and all is well. */
final class Alone {

    private static final String OVER = " over ";

    /** When a file was written last, in what tells one work from another by the very moment. */
    private static final Pattern MOMENT = Pattern.compile("(?<= of )\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z(?=, \\d+ bytes$)");

    private Alone() {}

    /** What is done alone. */
    interface Work {
        int run(Guard.Taking.Ours ours) throws Exception;
    }

    static int run(StoreOption store, String guard, String what, boolean quiet, Work work) throws Exception {
        return run(store, guard, what, "", quiet, work);
    }

    /**
     * The same for work over something.
     *
     * @param over what it is done over, for people; empty when nothing tells one from the other. Whoever does it over something else has not done this
     */
    static int run(StoreOption store, String guard, String what, String over, boolean quiet, Work work)
            throws Exception {
        store.requireRights();
        var who = "process " + ProcessHandle.current().pid() + (over.isEmpty() ? "" : OVER + over);
        return switch (Guard.take(store.beside("guards"), guard, who, Time.system())) {
            case Guard.Taking.Taken taken -> {
                var by = "by " + forPeople(taken.by().who()) + " since "
                        + Words.local(taken.by().since());
                if (over.isEmpty() || taken.by().who().endsWith(OVER + over)) {
                    yield standsDown(what, by, quiet);
                }
                Words.warn(what + " is running, " + by + ", and not over " + forPeople(over)
                        + "; this one stands down, and is to be run again");
                yield Interruption.UNFINISHED;
            }
            case Guard.Taking.Ours ours -> {
                try {
                    yield work.run(ours);
                } finally {
                    ours.guard().close();
                }
            }
        };
    }

    static int standsDown(String what, String why, boolean quiet) {
        if (!quiet) {
            Words.warn(what + " is running, " + why + "; this one stands down");
        }
        return 0;
    }

    /** The same as people read it, by their own clock. */
    private static String forPeople(String over) {
        return MOMENT.matcher(over)
                .replaceAll(moment -> Matcher.quoteReplacement(Words.local(Instant.parse(moment.group()))));
    }
}
