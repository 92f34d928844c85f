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
 * @param version of the code that runs it: jobs whose first record it makes go on with it; empty for none
 * @param others other versions whose jobs the code goes on with as well
 * @param <I> the input's type
 * @param <O> the output's type
 */
public record Workflow<I, O>(
        String name, TypeToken<I> input, TypeToken<O> output, String version, List<String> others) {

    public Workflow {
        Names.check("workflow", name);
        if (!version.isEmpty()) {
            Names.check("version", version);
        }
        others = List.copyOf(others);
        others.forEach(other -> Names.check("version", other));
    }

    /** The workflow called {@code name}. */
    public static <I, O> Workflow<I, O> named(String name, Class<I> input, Class<O> output) {
        return named(name, TypeToken.of(input), TypeToken.of(output));
    }

    /** The workflow called {@code name}, for inputs or outputs with type arguments. */
    public static <I, O> Workflow<I, O> named(String name, TypeToken<I> input, TypeToken<O> output) {
        return new Workflow<>(name, input, output, "", List.of());
    }

    /**
     * The same with a version of the code that runs it: a date, or a build's hash. A job goes on with the version of the code that made its first record, and is
     * taken by workers whose code {@link #runs} it; {@link Job#version} tells which that is. Submitting needs none.
     */
    public Workflow<I, O> version(String ofCode) {
        return new Workflow<>(name, input, output, ofCode, others);
    }

    /** The same with other versions whose jobs its code goes on with as well. */
    public Workflow<I, O> runs(String... versions) {
        return new Workflow<>(name, input, output, version, List.of(versions));
    }

    /** Every version that its code goes on with. */
    public List<String> fits() {
        var all = new ArrayList<String>();
        if (!version.isEmpty()) {
            all.add(version);
        }
        others.stream().filter(other -> !all.contains(other)).forEach(all::add);
        return all;
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
