package dev.pawl.test;

import dev.pawl.effect.Contract;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.job.Workflow;
import dev.pawl.json.Values;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Sees each act of a workflow: how often it ran to its end, under which key, and what it returned. Thread-safe. */
final class Witness {
    /** An effect's acts: its name, whether its destination deduplicates, how often it acted, and what it said last. */
    record Acted(String name, boolean deduplicated, int times, String result) {}

    private final Map<String, Acted> acted = new ConcurrentHashMap<>();
    private final @Nullable Notebook notebook;

    /** Nothing has been seen yet. */
    Witness() {
        this.notebook = null;
    }

    /** What a notebook tells was seen, and from now on what it is told. */
    Witness(Notebook notebook) {
        this.notebook = notebook;
        for (var note : notebook.notes()) {
            if (!note.key().isEmpty()) {
                saw(note);
            }
        }
    }

    Map<String, Acted> acted() {
        return Map.copyOf(acted);
    }

    <I, O> Workflow.Implementation<I, O> watching(Workflow.Implementation<I, O> code) {
        Workflow.Body<I, O> body = (seenJob, input) -> code.body().run(seen(seenJob), input);
        return new Workflow.Implementation<>(code.workflow(), body, code.retry(), code.budgets());
    }

    private Job seen(Job seenJob) {
        return (Job)
                Proxy.newProxyInstance(Job.class.getClassLoader(), new Class<?>[] {Job.class}, new WatchedJob(seenJob));
    }

    private final class WatchedJob implements InvocationHandler {
        private final Job seenJob;

        private WatchedJob(Job seenJob) {
            this.seenJob = seenJob;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
            }
            if (arguments != null && method.getName().equals("effect")) {
                arguments[4] =
                        watched((Named) arguments[0], (Contract<?>) arguments[1], (Job.Effect<?, ?>) arguments[4]);
            }
            if (arguments != null && method.getName().equals("map")) {
                arguments[3] = watched((Job.Each<?, ?>) arguments[3]);
            }
            try {
                return method.invoke(seenJob, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
        }
    }

    private <R, T> Job.Effect<R, T> watched(Named name, Contract<?> contract, Job.Effect<R, T> act) {
        return (request, attempt) -> {
            var result = act.act(request, attempt);
            var note = new Notebook.Note(
                    name.name(), attempt.key(), contract.terms().memory() != null, Values.write(result));
            if (notebook != null) {
                notebook.add(note);
            }
            saw(note);
            return result;
        };
    }

    private void saw(Notebook.Note note) {
        acted.merge(
                note.key(),
                new Acted(note.what(), note.deduplicated(), 1, note.result()),
                (before, now) -> new Acted(before.name(), before.deduplicated(), before.times() + 1, now.result()));
    }

    private <I, T> Job.Each<I, T> watched(Job.Each<I, T> each) {
        return (seenJob, item) -> each.run(seen(seenJob), item);
    }
}
