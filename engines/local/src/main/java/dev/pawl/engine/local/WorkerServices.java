package dev.pawl.engine.local;

import dev.pawl.store.Store;

/** What all runs of a worker share. */
record WorkerServices(
        Committers committers,
        EnginePorts ports,
        Watchdog watchdog,
        Store store,
        EventLog log,
        CurrentPrices currentPrices,
        GateBoard board,
        BudgetBooks books,
        Evidence evidence,
        Runnable lookAtGates,
        String worker) {}
