package dev.pawl.examples;

import dev.pawl.Pawl;
import dev.pawl.StoreAddress;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.OpenMode;
import dev.pawl.store.Store;
import dev.pawl.store.StoreProvider;
import dev.pawl.store.Wanted;
import dev.pawl.time.Time;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store of one's own, by an address of its own: it does what a file does, and counts what is recorded of jobs. Its provider is named in
 * {@code META-INF/services/dev.pawl.store.StoreProvider}; a jar of it in the command's {@code lib/more} gives the command the same addresses.
 */
public final class StoreOfYourOwn {
    private static final Workflow<String, String> PAGE = Workflow.named("page", String.class, String.class);
    private static final String KIND = "counting://";
    private static final AtomicLong RECORDED = new AtomicLong();

    private StoreOfYourOwn() {}

    /** Opens stores by addresses like {@code counting:///home/anna/pawl.db}. */
    public static final class Provider implements StoreProvider {
        private static StoreAddress file(String address) {
            return StoreAddress.of(Path.of(address.substring(KIND.length())));
        }

        @Override
        public boolean isFor(String address) {
            return address.startsWith(KIND);
        }

        @Override
        public boolean isThere(String address) {
            return file(address).isThere();
        }

        @Override
        public Store open(String address, Time time, OpenMode opening) {
            return new CountingStore(file(address).open(opening));
        }
    }

    private static final class CountingStore extends DelegatingStore {
        CountingStore(Store counted) {
            super(counted);
        }

        @Override
        public Exchanged exchange(List<Change> changes, Wanted wanted) {
            RECORDED.addAndGet(changes.stream()
                    .filter(change -> change instanceof Change.Owned)
                    .count());
            return super.exchange(changes, wanted);
        }
    }

    /** Writes a page twice: the second time nothing is recorded. */
    public static void main(String[] arguments) throws InterruptedException {
        var address = KIND + StoreFile.of(arguments).toAbsolutePath();
        for (var night = 1; night <= 2; night++) {
            try (var pawl = Pawl.openOrCreate(address)) {
                pawl.work(PAGE.implementedBy((job, title) -> job.step("write", String.class, () -> title + "!")));
                pawl.submit(PAGE, Key.of("Fences"), "Fences").join();
            }
            System.out.println("night " + night + ": " + (RECORDED.getAndSet(0) > 0 ? "done" : "only asked"));
        }
    }
}
