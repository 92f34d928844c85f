package dev.pawl.store.postgres;

import dev.pawl.store.Store;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Stores on a real server whose clock is the night's. */
public final class NightDatabase {
    private NightDatabase() {}

    /**
     * A store in a schema of its own, by {@code clock}. The night's clock stands still while the server is asked: whoever asks does not give up his turn, as he
     * would by waiting for an answer. Nobody is told of anything from outside of the night.
     */
    public static Store open(PostgresServer server, String schema, Time clock) {
        var source = Address.parse(server.url()).source(Map.of());
        var store = PostgresStore.open(
                source,
                schema,
                "the server",
                Settings.Ways.find(true),
                () -> clock.now().toEpochMilli(),
                Time.system());
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, values) ->
                        method.getName().equals("onReady") ? null : inOneTurn(() -> call(store, method, values)));
    }

    private interface Call {
        @Nullable
        Object make() throws Exception;
    }

    private static @Nullable Object call(Store store, Method method, @Nullable Object[] values) throws Exception {
        try {
            return method.invoke(store, values);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception exception ? exception : e;
        }
    }

    private static @Nullable Object inOneTurn(Call call) throws Exception {
        var task = new FutureTask<@Nullable Object>(call::make);
        Thread.ofPlatform().daemon().start(task);
        while (!task.isDone()) {
            Thread.onSpinWait();
        }
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception exception ? exception : e;
        }
    }
}
