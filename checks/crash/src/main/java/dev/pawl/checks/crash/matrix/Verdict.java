package dev.pawl.checks.crash.matrix;

import java.util.ArrayList;
import java.util.List;

/**
 * What came of a cell.
 *
 * @param lost effects or results that are gone
 * @param duplicated effects that happened more than once
 * @param reported whether a person was told of it
 * @param stuck jobs that did not end, or not as they must
 * @param paused questions about attempts in doubt
 * @param why a sentence for each thing that is wrong
 */
record Verdict(int lost, int duplicated, boolean reported, int stuck, int paused, List<String> why) {
    Verdict {
        why = List.copyOf(why);
    }

    boolean clean() {
        return why.isEmpty();
    }

    /** Counts while a cell is judged. */
    static final class Count {
        private final List<String> why = new ArrayList<>();
        private int lost;
        private int duplicated;
        private boolean reported;
        private int stuck;
        private int paused;

        void lost(String what) {
            lost++;
            why.add("lost: " + what);
        }

        void duplicated(String what) {
            duplicated++;
            why.add("duplicated: " + what);
        }

        void reported() {
            reported = true;
        }

        void stuck(String what) {
            stuck++;
            why.add("stuck: " + what);
        }

        void paused(int more) {
            paused += more;
        }

        Verdict verdict() {
            return new Verdict(lost, duplicated, reported, stuck, paused, why);
        }
    }
}
