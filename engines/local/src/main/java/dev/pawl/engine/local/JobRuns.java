package dev.pawl.engine.local;

import dev.pawl.look.StoredJob;
import dev.pawl.store.Claimed;
import dev.pawl.time.Signal;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The runs of this process: each on a thread of its own, and known until it has ended. Thread-safe. */
final class JobRuns {

    /** Whoever has jobs run here. */
    interface Employer {
        /** The run of a job that was claimed; that it was is told. */
        JobRun run(Lease lease, Claimed claimed);

        /**
         * A run has ended, or could not begin.
         *
         * @param leavesWork whether it may have left something that is due
         */
        void ended(Claimed claimed, boolean leavesWork);

        /** What a run has come to, once it has ended. */
        void told(Claimed claimed, UserCode.CodeOutcome<StoredJob> outcome);
    }

    private final EnginePorts ports;
    private final Employer employer;
    private final Set<Long> here = ConcurrentHashMap.newKeySet();
    private final Queue<JobRun> runs = new ConcurrentLinkedQueue<>();
    private final AtomicInteger running = new AtomicInteger();
    private final Signal oneEnded = new Signal();
    private volatile boolean stopping;

    JobRuns(EnginePorts ports, Employer employer) {
        this.ports = ports;
        this.employer = employer;
    }

    void start(Lease lease, Claimed claimed) {
        lease.hold();
        running.incrementAndGet();
        here.add(claimed.job().id());
        var started = false;
        try {
            ports.threads()
                    .start(Threads.Purpose.JOB, "pawl-" + claimed.job().identity(), () -> runToItsEnd(lease, claimed));
            started = true;
        } finally {
            // There may be no memory for a thread.
            if (!started) {
                ended(lease, claimed, true);
            }
        }
    }

    private void runToItsEnd(Lease lease, Claimed claimed) {
        var leavesWork = new AtomicBoolean(true);
        var outcome = UserCode.call(() -> {
            var run = employer.run(lease, claimed);
            runs.add(run);
            if (stopping) {
                run.stop();
            }
            try {
                return run.run();
            } finally {
                runs.remove(run);
                leavesWork.set(run.leavesWork());
            }
        });
        ended(lease, claimed, leavesWork.get());
        employer.told(claimed, outcome);
    }

    private void ended(Lease lease, Claimed claimed, boolean leavesWork) {
        lease.letGo();
        running.decrementAndGet();
        here.remove(claimed.job().id());
        employer.ended(claimed, leavesWork);
        oneEnded.raise();
    }

    boolean isHere(long job) {
        return here.contains(job);
    }

    boolean none() {
        return running.get() == 0;
    }

    int many() {
        return running.get();
    }

    /** Is raised whenever a run has ended. */
    Signal oneEnded() {
        return oneEnded;
    }

    /** Lets runs know that their jobs were called off. */
    void callOff(Set<Long> jobs) {
        for (var run : runs) {
            if (jobs.contains(run.context().job().id())) {
                run.callOff();
            }
        }
    }

    /** Records how far jobs have come that say so in the middle of something long. */
    void recordProgress() {
        runs.forEach(JobRun::recordProgress);
    }

    /** Runs may begin, perhaps again. */
    void mayBegin() {
        stopping = false;
    }

    /** Whatever begins from now on ends at its next boundary. */
    void beginsNoMore() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Lets each run end at its next boundary. */
    void stop() {
        runs.forEach(JobRun::stop);
    }

    void interrupt() {
        runs.forEach(JobRun::interrupt);
    }
}
