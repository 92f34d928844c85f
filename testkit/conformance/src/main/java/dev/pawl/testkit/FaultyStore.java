package dev.pawl.testkit;

import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import java.util.List;

/** A store whose exchanges fail where a plan says so, before or after they took effect. Thread-safe when its plan is. */
public final class FaultyStore extends DelegatingStore {

    /** What becomes of an exchange. */
    public enum Fate {
        /** Nothing goes wrong. */
        PASS,
        /** It fails, and nothing was done. */
        FAIL_BEFORE,
        /** It is done, and the caller gets an error all the same. */
        FAIL_AFTER
    }

    /** Decides what becomes of an exchange. */
    @FunctionalInterface
    public interface Plan {
        /** The fate of this exchange. */
        Fate fate(List<Change> changes, Wanted wanted);
    }

    private final Plan plan;

    /** {@code store}, failing as {@code plan} says. */
    public FaultyStore(Store store, Plan plan) {
        super(store);
        this.plan = plan;
    }

    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        var fate = plan.fate(changes, wanted);
        if (fate == Fate.FAIL_BEFORE) {
            throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "planned: failed before it took effect", null);
        }
        var exchanged = super.exchange(changes, wanted);
        if (fate == Fate.FAIL_AFTER) {
            throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "planned: failed after it took effect", null);
        }
        return exchanged;
    }

    @Override
    public String describe() {
        return super.describe() + ", with planned faults";
    }
}
