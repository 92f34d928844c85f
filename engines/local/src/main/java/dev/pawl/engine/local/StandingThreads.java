package dev.pawl.engine.local;

import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import java.util.function.Consumer;

/**
 * Threads of which none of the standing ones ends unheard: a worker whose loop, committer, watchdog or claim loop is gone looks alive and is not, and whoever
 * asks whether it is would wait for it for ever.
 */
final class StandingThreads implements Threads {
    /** Made while there is memory: there may be none left to say so. */
    private final StoreFailure noMemory = failure("there is no memory left", new OutOfMemoryError());

    private final Threads threads;
    private final Consumer<StoreFailure> whenOneDies;

    StandingThreads(Threads threads, Consumer<StoreFailure> whenOneDies) {
        this.threads = threads;
        this.whenOneDies = whenOneDies;
    }

    @Override
    public Thread start(Purpose purpose, String name, Runnable work) {
        return threads.start(
                purpose,
                name,
                switch (purpose) {
                    case JOB -> work;
                    case STANDING -> () -> stand(work);
                });
    }

    private void stand(Runnable work) {
        try {
            work.run();
        } catch (StoreFailure gone) {
            whenOneDies.accept(gone);
        } catch (OutOfMemoryError e) {
            whenOneDies.accept(noMemory);
        } catch (RuntimeException | Error e) {
            whenOneDies.accept(failure("something broke in it: " + e, e));
        }
    }

    private static StoreFailure failure(String why, Throwable cause) {
        return new StoreFailure(
                Move.ASK_AGAIN,
                "this process can no longer keep its lease, because " + why
                        + "; it gives up, and whoever runs next goes on",
                cause);
    }
}
