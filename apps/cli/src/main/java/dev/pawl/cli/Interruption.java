package dev.pawl.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets a command that is stopped by Ctrl-C or a polite signal end in order, and the process end with its exit code. */
final class Interruption {
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private Interruption() {}

    /** Runs {@code work}; when the process is told to end, the thread that runs it is interrupted, and awaited for a while. */
    static int ending(Callable<Integer> work) throws Exception {
        return ending(Duration.ZERO, work);
    }

    /** The same for work that needs {@code grace} to end, and a while more. */
    static int ending(Duration grace, Callable<Integer> work) throws Exception {
        var runner = Thread.currentThread();
        var ended = new CountDownLatch(1);
        var code = new AtomicInteger(ExitCodes.UNFINISHED);
        var hook = new Thread(() -> {
            runner.interrupt();
            try {
                ended.await(grace.plus(LONGEST).toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                // Then it ends now.
            }
            System.out.flush();
            Runtime.getRuntime().halt(code.get());
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            code.set(work.call());
            return code.get();
        } finally {
            forget(hook);
            ended.countDown();
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process ends already.
        }
    }
}
