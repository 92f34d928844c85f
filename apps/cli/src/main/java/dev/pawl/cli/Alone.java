package dev.pawl.cli;

import dev.pawl.guard.Guard;
import dev.pawl.time.Time;

/** Does something unless somebody who is alive does it already; then this one stands down, and all is well. */
final class Alone {

    private Alone() {}

    /** What is done alone. */
    interface Work {
        int run(Guard.Taking.Ours ours) throws Exception;
    }

    static int run(StoreOption store, String guard, String what, boolean quiet, Work work) throws Exception {
        store.requireRights();
        var who = "process " + ProcessHandle.current().pid();
        return switch (Guard.take(store.beside("guards"), guard, who, Time.system())) {
            case Guard.Taking.Taken taken ->
                standsDown(
                        what,
                        "by " + taken.by().who() + " since "
                                + Words.local(taken.by().since()),
                        quiet);
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
}
