package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.command.Relay;
import dev.pawl.desk.EvidenceText;
import dev.pawl.desk.Fields;
import dev.pawl.desk.JobText;
import dev.pawl.desk.Words;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.look.StoredJob;
import dev.pawl.script.Flow;
import dev.pawl.script.FlowCode;
import dev.pawl.text.Visible;
import dev.pawl.time.Durations;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code pawl run FLOW}: one job of a flow, to its end or as far as it comes. */
@Command(
        name = "run",
        description = "Run a flow once for its key; what is done is not done again."
                + " Example: pawl run daily-pr.yaml --slot 2026-04-12",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int SLOTS = 16;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private FlowJobOption typed;

    @Option(
            names = "--linger",
            paramLabel = "TIME",
            description = "How long to stay when the job waits; ${DEFAULT-VALUE} unless said.")
    private String linger = "30m";

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private WorkerOption workerOption;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private AsOption as;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private EventOption eventOption;

    @Option(
            names = {"-q", "--quiet"},
            description = "Say nothing when all is well.")
    private boolean quiet;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private PingOption ping;

    @Override
    public Integer call() throws Exception {
        ping.check();
        var flow = typed.flow();
        var given = typed.input();
        var identity = new Identity(flow.name(), FlowCode.key(flow, given));
        var stay = Durations.parse(linger);
        var handling = workerOption.taking(as.over(flow.rules().principal()));
        var options = workerOption.of(Workshop.options(
                SLOTS, eventOption.sparing(store, List.of(typed.file())).to(Workshop.least(quiet), flow.name())));
        return Interruption.ending(() -> OneAtATime.run(
                store,
                "run " + identity,
                identity.toString(),
                OneAtATime.StandDown.unless(quiet).and(json, "job", identity.toString()),
                ours -> run(flow, options, new OneJob(identity, given, handling), stay)));
    }

    /** The one job, as it is submitted. */
    private record OneJob(Identity identity, JsonNode input, Handling handling) {}

    private int run(Flow flow, PawlOptions options, OneJob oneJob, Duration stay) throws Exception {
        var identity = oneJob.identity();
        var time = Time.system();
        var start = time.nanos();
        try (var workshop = new Workshop(store, options, (whose, meaning, exit, says) -> {}, Relay.NOBODY)) {
            var implementation = Flows.code(flow, workshop.commands());
            workshop.sweep();
            Flows.keepHow(store, "run", typed.file(), flow);
            var pawl = workshop.pawl();
            ping.begins();
            var before = pawl.find(identity);
            if (before.isEmpty() || !before.get().state().finished()) {
                pawl.work(implementation);
                pawl.submit(FlowCode.workflow(flow), identity.key(), oneJob.input(), oneJob.handling());
                stay(pawl, identity, stay);
            }
            var job = pawl.find(identity).orElseThrow();
            if (before.isPresent() && job.state().finished()) {
                tellBefore(pawl, before.get(), oneJob.input());
            }
            var line = tell(
                    pawl,
                    job,
                    before.isPresent() && before.get().state().finished(),
                    Duration.ofNanos(time.nanos() - start));
            var code = exitCode(pawl, job);
            ping.ended(code, line);
            return code;
        }
    }

    /** What nobody sees who only looks at what it came to: it was another input that was done, or it was called off. */
    private static void tellBefore(Pawl pawl, StoredJob before, JsonNode input) {
        if (before.state() == JobState.DONE
                && !before.pruned()
                && !before.wasGiven(Json.canonical(Json.write(input)))) {
            Warnings.say(
                    before.identity()
                            + " was done with another input than it has now, and is not done again; give what is to be done anew a key of its own");
        }
        if (before.state() == JobState.CANCELLED) {
            Warnings.say(
                    before.identity() + " was called off before, and is not run; pawl resubmit " + before.identity()
                            + " --note WHY" + pawl.operator().storeOption() + " does it again from the start");
        }
    }

    /** Waits until the job has ended, asks, or will not go on for so long that nobody stays for it. */
    private void stay(Pawl pawl, Identity identity, Duration longest) {
        var time = Time.system();
        var held = new HeldElsewhere("job", quiet);
        var look = new PatientLook(pawl, identity, () -> identity + " goes on meanwhile, and this waits");
        var until = time.now().plus(longest);
        try {
            while (true) {
                pawl.awaitQuiet(LOOK);
                var job = look.now();
                held.isHeld(pawl, job);
                var due = job.standing().times().due();
                var over = job.state().finished()
                        || job.state() == JobState.PAUSED
                        || job.outcome().gate() != null;
                if (pawl.operator().storeTroubleFor(longest).isPresent()) {
                    return;
                }
                if (job.state() == JobState.RUNNING) {
                    until = time.now().plus(longest);
                } else if (over || due == null || due.isAfter(until)) {
                    return;
                }
                time.await(Duration.ofMillis(20));
            }
        } catch (InterruptedException e) {
            // It is left as it is; whoever runs it again goes on.
        }
    }

    /** Says how the job stands; returns the last line. */
    private String tell(Pawl pawl, StoredJob job, boolean before, Duration took) {
        var outcome = job.outcome();
        if (outcome.question() != null) {
            System.err.print(new EvidenceText(new TypedHere(store, pawl), pawl).of(job));
            System.err.println(
                    JobText.question(outcome.question(), job, pawl.operator().storeOption()));
        }
        if (outcome.failure() != null) {
            System.err.println("pawl: " + job.identity() + " " + Words.of(outcome.failure()) + "; pawl show "
                    + job.identity() + pawl.operator().storeOption() + " says more");
        }
        var fields = Fields.of(
                "job", job.identity().toString(),
                "state", job.state().word() + (before ? " before" : ""),
                "cost", pawl.cost(job).toString(),
                "time", Durations.word(took));
        var line = Summary.line(fields);
        if (quiet && job.state() == JobState.DONE) {
            return line;
        }
        var result = outcome.result();
        if (result != null && !json.wanted()) {
            System.out.println(Visible.of(result));
        }
        if (result != null) {
            fields.put("result", Json.tree(result));
        }
        json.say(line, fields);
        return line;
    }

    private static int exitCode(Pawl pawl, StoredJob job) {
        return switch (job.state()) {
            case DONE -> ExitCodes.WELL;
            case FAILED, CANCELLED -> ExitCodes.FAILED;
            case PAUSED -> ExitCodes.ASKS;
            case READY, RUNNING, WAITING ->
                pawl.questions().gates().stream()
                                .anyMatch(
                                        gate -> gate.name().equals(job.outcome().gate()))
                        ? ExitCodes.ASKS
                        : ExitCodes.UNFINISHED;
        };
    }
}
