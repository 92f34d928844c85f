package dev.pawl.cli;

import dev.pawl.PawlOptions;
import dev.pawl.command.Relay;
import dev.pawl.event.Event;
import dev.pawl.job.Workflow;
import dev.pawl.store.StoreFailure;
import dev.pawl.time.Durations;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pawl work FLOW…}: stays and runs jobs of these flows, until it is told to end. */
@Command(
        name = "work",
        description = "Stay, and run the jobs of these flows. Example: pawl work daily-pr.yaml invoices.yaml",
        mixinStandardHelpOptions = true)
final class WorkCommand implements Callable<Integer> {
    private static final Duration BETWEEN_SWEEPS = Duration.ofMinutes(1);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(paramLabel = "FLOW", arity = "1..*", description = "A flow's YAML file.")
    @SuppressWarnings("NullAway.Init")
    private List<Path> files;

    @Option(names = "-j", paramLabel = "N", description = "How many jobs at once; ${DEFAULT-VALUE} unless said.")
    private int atOnce = 16;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private WorkerOption workerOption;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private EventOption eventOption;

    @Option(
            names = "--queue",
            paramLabel = "NAME",
            split = ",",
            description = "Take jobs from this queue only; may be given several times. Jobs of no queue are in \"\".")
    private List<String> queues = List.of();

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            description =
                    "How long running steps may take to finish when this is told to end; ${DEFAULT-VALUE} unless said.")
    private String grace = "30s";

    @Override
    public Integer call() throws Exception {
        return Interruption.ending(Durations.parse(grace), () -> {
            try {
                var said = false;
                while (true) {
                    try {
                        stay();
                    } catch (StoreFailure failure) {
                        if (failure.move() == StoreFailure.Move.OPERATOR) {
                            throw failure;
                        }
                        if (!said) {
                            Warnings.say(String.valueOf(failure.getMessage()));
                        }
                        said = true;
                        Time.system().await(BETWEEN_LOOKS);
                    }
                }
            } catch (InterruptedException e) {
                return 0;
            }
        });
    }

    /** What commands have come to that a person did not wait for is told while this stays, too. */
    private static void sweep(Workshop workshop) throws IOException {
        try {
            workshop.sweep();
        } catch (StoreFailure later) {
            // The engine says that the store does not answer; the next sweep comes.
        }
    }

    /**
     * Works until this thread is interrupted.
     *
     * @throws StoreFailure when the store could not be opened: whoever stays waits for one that does not answer yet
     */
    private void stay() throws IOException, InterruptedException {
        try (var workshop = new Workshop(store, options(), (identity, meaning, exit, says) -> {}, Relay.NOBODY)) {
            var typed = LastRun.typed(spec.root().commandLine().getParseResult().originalArgs());
            var codes = new ArrayList<Workflow.Implementation<?, ?>>();
            var names = new ArrayList<String>();
            for (var file : files) {
                var flow = Flows.runnable(file);
                codes.add(Flows.code(flow, workshop.commands()));
                names.add(flow.name());
            }
            workshop.sweep();
            names.forEach(name -> typed.keep(store, name));
            workshop.pawl().work(codes.toArray(Workflow.Implementation<?, ?>[]::new));
            while (true) {
                Time.system().await(BETWEEN_SWEEPS);
                sweep(workshop);
            }
        }
    }

    private PawlOptions options() throws IOException {
        return workerOption
                .of(Workshop.options(atOnce, eventOption.sparing(store, files).to(Event.Level.NOTICE)))
                .grace(Durations.parse(grace))
                .queues(queues.toArray(String[]::new));
    }
}
