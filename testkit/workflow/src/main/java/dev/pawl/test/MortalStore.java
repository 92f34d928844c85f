package dev.pawl.test;

import dev.pawl.journal.Entry;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The way of one process to the store. When the process dies, whoever comes here never returns: no line of its code runs any more, and no
 * {@code finally}. What it has done is in the store; what it knew is gone.
 */
final class MortalStore implements InvocationHandler {
    private final Store store;
    private final @Nullable CrashPoint point;
    private final boolean realProcess;
    private final Set<Long> mine = ConcurrentHashMap.newKeySet();
    private int commits;
    private volatile boolean dead;
    private volatile String where = "";

    /** The way of a process that is only pretended, and whose death the others know of at once. */
    MortalStore(Store store, @Nullable CrashPoint point) {
        this(store, point, false);
    }

    /** The way of a process of its own, of whose death the kernel tells the others. */
    static MortalStore ofRealProcess(Store store, @Nullable CrashPoint point) {
        return new MortalStore(store, point, true);
    }

    private MortalStore(Store store, @Nullable CrashPoint point, boolean realProcess) {
        this.store = store;
        this.point = point;
        this.realProcess = realProcess;
    }

    Store asStore() {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, this);
    }

    boolean dead() {
        return dead;
    }

    /** In which commit it died, for people. */
    String where() {
        return where;
    }

    /** The process is gone. */
    void die() {
        dead = true;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class || arguments == null) {
            return call(method, arguments);
        }
        if (method.getName().equals("exchange")) {
            return exchange(method, arguments);
        }
        if (realProcess) {
            return call(method, arguments);
        }
        return switch (method.getName()) {
            case "lifeline" -> {
                mine.add((Long) arguments[0]);
                yield (Store.Lifeline) () -> {};
            }
            case "knownGone" -> gone((Collection<?>) arguments[0]);
            case "onReady" -> null;
            default -> call(method, arguments);
        };
    }

    /** Every process but this one is gone, and the kernel says so. */
    private Set<Long> gone(Collection<?> workers) {
        return workers.stream()
                .map(worker -> ((WorkerRecord) worker).id())
                .filter(worker -> !mine.contains(worker))
                .collect(Collectors.toSet());
    }

    private @Nullable Object exchange(Method method, Object[] arguments) throws Throwable {
        var changes = (List<?>) arguments[0];
        var here = isMadeEachTime(changes) && comesToIt();
        if (here) {
            where = words(changes);
        }
        if (here && point != null && !point.after()) {
            dead = true;
        }
        var exchanged = call(method, arguments);
        if (here) {
            dead = true;
            neverReturn();
        }
        return exchanged;
    }

    /** Whether every run makes this commit: what comes when the clock says so would, counted, make each run's commits other ones. */
    private static boolean isMadeEachTime(List<?> changes) {
        return changes.stream()
                .anyMatch(change -> !(change instanceof Change.Beat || change instanceof Change.MendTimes));
    }

    private synchronized boolean comesToIt() {
        return point != null && !dead && ++commits == point.commit();
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
        if (dead) {
            neverReturn();
        }
        try {
            var result = method.invoke(store, arguments);
            if (dead) {
                neverReturn();
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static void neverReturn() {
        while (true) {
            LockSupport.park();
            Thread.interrupted();
        }
    }

    private static String words(List<?> changes) {
        return changes.stream().map(change -> words((Change) change)).collect(Collectors.joining(" and "));
    }

    private static String words(Change change) {
        return switch (change) {
            case Change.AnswerAttempt answer ->
                "the answer of " + answer.attempt().place() + " was recorded";
            case Change.IntendEffectIfOwned intend ->
                "the intent of " + intend.intent().place() + " was recorded";
            case Change.SubmitJob ignored -> "it was submitted";
            case Change.FinishJob ignored -> "its end was recorded";
            case Change.Owned owned ->
                owned.entries().stream()
                        .map(Entry::place)
                        .filter(place -> !place.name().isEmpty())
                        .map(place -> place + " was recorded")
                        .findFirst()
                        .orElse("it was let go");
            default -> change.getClass().getSimpleName();
        };
    }
}
