package dev.pawl.testkit;

import dev.pawl.store.Store;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What tests of stores stand on: a clock, handles on one storage, and a driver that says what an engine would. */
public abstract class StoreHarness {
    /** The clock the store is opened with. */
    protected final FakeTime time = new FakeTime();

    private final List<Store> opened = new ArrayList<>();

    /** Speaks to the first handle. */
    @SuppressWarnings("NullAway.Init") // opened before each test
    protected StoreDriver driver;

    /** Opens a handle on the storage of this test; called again, another handle on the same storage, as another process would. */
    protected abstract Store open();

    @BeforeEach
    final void openStore() {
        driver = new StoreDriver(handle());
    }

    @AfterEach
    final void closeStores() {
        opened.forEach(Store::close);
    }

    /** Another handle on the same storage, closed after the test. */
    protected final Store handle() {
        var store = open();
        opened.add(store);
        return store;
    }
}
