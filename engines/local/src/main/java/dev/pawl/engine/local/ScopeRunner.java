package dev.pawl.engine.local;

import dev.pawl.job.Job;
import dev.pawl.job.Named;

/** Runs a part of the workflow's code in a scope of its own, on the same thread. */
final class ScopeRunner {
    private final Scope parent;

    ScopeRunner(Scope parent) {
        this.parent = parent;
    }

    <T> T run(Named name, Job.Scoped<T> scoped) {
        var place = parent.meet(name);
        var scope = parent.inner(place.inside());
        var outcome = UserCode.call(() -> {
            var result = scoped.run(new JobInCode(scope));
            scope.settleUnmet();
            return result;
        });
        scope.ends();
        parent.context().journal().check();
        parent.refuseIfSpoiled();
        if (parent.parked() != null) {
            // Whatever the code made of it.
            throw parent.hasLeft();
        }
        return UserCode.result(outcome);
    }
}
