package dev.pawl.job;

import dev.pawl.gate.Budget;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Names;
import dev.pawl.retry.Retry;
import java.util.ArrayList;
import java.util.List;

/**
 * A named workflow: what goes in and what comes out. Submitting needs only this; running it needs {@link #implementedBy}.
 *
 * @param name part of every job's identity: renaming a workflow makes new jobs
 * @param input what a job is given
 * @param output what it returns
 * @param <I> the input's type
 * @param <O> the output's type
 */
public record Workflow<I, O>(String name, TypeToken<I> input, TypeToken<O> output) {

    public Workflow {
        Names.check("workflow", name);
    }

    /** The workflow called {@code name}. */
    public static <I, O> Workflow<I, O> named(String name, Class<I> input, Class<O> output) {
        return new Workflow<>(name, TypeToken.of(input), TypeToken.of(output));
    }

    /** The workflow called {@code name}, for inputs or outputs with type arguments. */
    public static <I, O> Workflow<I, O> named(String name, TypeToken<I> input, TypeToken<O> output) {
        return new Workflow<>(name, input, output);
    }

    /** This workflow with the code that runs it. */
    public Implementation<I, O> implementedBy(Body<I, O> body) {
        return new Implementation<>(this, body, Retry.USUAL, List.of());
    }

    /**
     * A workflow's code. It runs again from the top on every resume: what has a record returns it without running.
     *
     * @param <I> the input's type
     * @param <O> the output's type
     */
    @FunctionalInterface
    public interface Body<I, O> {
        /** Does the job, calling its steps and effects. */
        O run(Job job, I input) throws Exception;
    }

    /**
     * A workflow with its code.
     *
     * @param workflow what it is called
     * @param body the code
     * @param retry how often steps and effects are tried, unless they say
     * @param budgets how much may be spent
     * @param <I> the input's type
     * @param <O> the output's type
     */
    public record Implementation<I, O>(Workflow<I, O> workflow, Body<I, O> body, Retry retry, List<Budget> budgets) {
        public Implementation {
            budgets = List.copyOf(budgets);
        }

        /** The same with another retry policy. */
        public Implementation<I, O> retry(Retry other) {
            return new Implementation<>(workflow, body, other, budgets);
        }

        /** The same with a budget more. */
        public Implementation<I, O> budget(Budget one) {
            var more = new ArrayList<>(budgets);
            more.add(one);
            return new Implementation<>(workflow, body, retry, more);
        }
    }
}
