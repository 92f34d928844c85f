package dev.pawl.test;

import dev.pawl.job.Workflow;
import java.util.List;

/**
 * A workflow that {@link CrashEverywhere#forReal} can make anew in each process that it kills. The class has a constructor without parameters and
 * can be loaded with the test's class path.
 *
 * @param <I> the workflow's input
 * @param <O> its output
 */
public interface Crashable<I, O> {

    /** The workflow. Its test doubles tell {@code outside} what reached the world; that count outlives the process. */
    Workflow.Implementation<I, O> code(Outside outside);

    /** The workflows that it calls. */
    default List<Workflow.Implementation<?, ?>> others(Outside outside) {
        return List.of();
    }
}
