package dev.pawl.test;

import dev.pawl.job.Workflow;
import java.util.List;

/**
 * A workflow that can be made anew, with its test doubles: for each crash by {@link CrashEverywhere#making}, and in each process that is killed by {@link CrashEverywhere#forReal}, for which the class
 * has a constructor without parameters and can be loaded with the test's class path.
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
