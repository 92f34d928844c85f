package dev.pawl.spring;

import dev.pawl.Pawl;
import dev.pawl.job.Workflow;
import java.util.List;
import org.springframework.context.SmartLifecycle;

/**
 * Works on the jobs of all workflows that are beans: begins when everything else has, and stops before everything else does, so that what jobs use is there as long as they run. May be stopped
 * and started while the application goes on: jobs are submitted and waited for all the same.
 */
public final class PawlWorker implements SmartLifecycle {
    private final Pawl pawl;
    private final List<Workflow.Implementation<?, ?>> workflows;
    private final boolean begins;
    private volatile boolean working;

    /** Works on {@code workflows} once it is started; by itself if {@code begins}. */
    public PawlWorker(Pawl pawl, List<Workflow.Implementation<?, ?>> workflows, boolean begins) {
        this.pawl = pawl;
        this.workflows = List.copyOf(workflows);
        this.begins = begins;
    }

    /** The workflows that it works on. */
    public List<Workflow.Implementation<?, ?>> workflows() {
        return workflows;
    }

    @Override
    public synchronized void start() {
        if (!working && !workflows.isEmpty()) {
            pawl.work(workflows);
            working = true;
        }
    }

    @Override
    public synchronized void stop() {
        if (working) {
            pawl.stopWorking();
            working = false;
        }
    }

    @Override
    public boolean isRunning() {
        return working;
    }

    @Override
    public boolean isAutoStartup() {
        return begins;
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
