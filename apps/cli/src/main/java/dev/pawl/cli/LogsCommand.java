package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.command.Commands;
import dev.pawl.command.Folder;
import dev.pawl.desk.Fields;
import dev.pawl.desk.GoingOn;
import dev.pawl.desk.JobLookup;
import dev.pawl.desk.Words;
import dev.pawl.desk.WorkflowNames;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.look.StoredJob;
import dev.pawl.text.Visible;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pawl logs JOB [STEP]}: what the attempts of a job wrote. */
@Command(
        name = "logs",
        description = "Show what a job's commands wrote, attempt by attempt. Example: pawl logs nightly/a-slug -f",
        mixinStandardHelpOptions = true)
final class LogsCommand implements Callable<Integer> {
    private static final Duration LOOK = Duration.ofMillis(250);

    /** After so many looks at which nobody was there it is over: whoever is starting takes a moment. */
    private static final int ALONE = 8;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Parameters(index = "0", paramLabel = "JOB", description = "WORKFLOW/KEY")
    @SuppressWarnings("NullAway.Init")
    private String name;

    @Parameters(index = "1", arity = "0..1", paramLabel = "STEP", description = "Only this step or effect.")
    private @Nullable String step;

    @Option(
            names = {"-f", "--follow"},
            description = "Stay until the job has ended or asks, and show what is written meanwhile.")
    private boolean follow;

    private boolean anything;

    /** What was shown of commands that run, by their folders. */
    private final Map<Path, Live> live = new HashMap<>();

    /**
     * What was shown of a command that runs.
     *
     * @param attempt which it is
     * @param text all that was seen of it
     */
    private record Live(String attempt, String text) {}

    @Override
    public Integer call() throws Exception {
        return Interruption.ending(() -> {
            try (var pawl = store.look()) {
                var job = JobLookup.find(pawl, name);
                var shown = tell(pawl, job, 0);
                var looksAlone = 0;
                while (follow
                        && looksAlone < ALONE
                        && goesOn(pawl.find(job.identity()).orElseThrow())) {
                    var running = Commands.running(store.commands(() -> pawl), job.identity());
                    for (var folder : json.wanted() ? List.<Folder>of() : running) {
                        tellLive(folder);
                    }
                    Time.system().await(LOOK);
                    shown = tell(pawl, job, shown);
                    looksAlone = running.isEmpty()
                                    && !pawl.operator()
                                            .isAttended(
                                                    pawl.find(job.identity()).orElseThrow())
                            ? looksAlone + 1
                            : 0;
                }
                // What was written last may have been kept while the job ended.
                tell(pawl, job, shown);
                if (looksAlone == ALONE) {
                    return nobodyIsThere(pawl, job);
                }
                if (!anything && live.isEmpty() && !json.wanted()) {
                    System.err.println(
                            job.pruned()
                                    ? "pawl: it was pruned, and what its attempts wrote with it"
                                    : "pawl: no attempt of it has written anything");
                }
                return 0;
            } catch (InterruptedException e) {
                return 0;
            }
        });
    }

    /** Whoever worked at it was killed: nothing more comes before it is run again. What a command wrote last stands in its folder until then. */
    private int nobodyIsThere(Pawl pawl, StoredJob job) throws IOException {
        for (var path : List.copyOf(live.keySet())) {
            tellLive(Folder.at(path));
        }
        Warnings.say("nobody works at " + WorkflowNames.called(job.identity()) + " any more; what goes on with it: "
                + new GoingOn(new TypedHere(store, pawl), pawl).command(job));
        return ExitCodes.UNFINISHED;
    }

    /** Shows what was written after the line {@code shown}; returns the last one. */
    private long tell(Pawl pawl, StoredJob job, long shown) {
        var last = shown;
        for (var line : pawl.journal(job)) {
            if (line.seq() > last
                    && line.entry() instanceof Entry.Logged log
                    && (step == null || log.place().name().equals(step))) {
                tell(line, log);
            }
            last = Math.max(last, line.seq());
        }
        return last;
    }

    private void tell(JournalLine line, Entry.Logged log) {
        anything = true;
        var before = shownOf(log);
        json.say(
                before == null
                        ? "== " + log.place() + ", attempt " + log.number() + ", " + Words.local(line.at()) + "\n"
                                + Words.harmless(log.text()).stripTrailing()
                        : Words.harmless(log.text().substring(before.length())).stripTrailing(),
                Fields.of(
                        "place", log.place().toString(), "attempt", log.number(), "at", line.at(), "text", log.text()));
    }

    /** What was shown of an attempt while it ran, when what is kept of it goes on from there; else null, and it is shown as a whole. */
    private @Nullable String shownOf(Entry.Logged log) {
        var attempt = log.place().name() + ", attempt " + log.number();
        return live.values().stream()
                .filter(one -> one.attempt().equals(attempt) && log.text().startsWith(one.text()))
                .map(Live::text)
                .findFirst()
                .orElse(null);
    }

    /** What a command that runs has written since it was looked at. */
    private void tellLive(Folder folder) throws IOException {
        var before = live.get(folder.path());
        try {
            var attempt = folder.attempt();
            var shows = folder.isMasked() || folder.secrets().isEmpty();
            if (before == null && !shows) {
                System.out.println("== " + Visible.of(attempt)
                        + " still runs; what it writes is shown once its secrets are masked in it");
            }
            var text = shows ? new String(Files.readAllBytes(folder.log()), StandardCharsets.UTF_8) : "";
            if (before == null && !text.isEmpty()) {
                System.out.println("== " + Visible.of(attempt) + ", which still runs");
            }
            var shown = before == null ? "" : before.text();
            // A log that has grown too long is begun anew with its last half.
            System.out.print(Words.harmless(text.startsWith(shown) ? text.substring(shown.length()) : text));
            System.out.flush();
            live.put(folder.path(), new Live(attempt, text));
        } catch (NoSuchFileException e) {
            // It has written nothing yet, or is gone.
        }
    }

    private static boolean goesOn(StoredJob job) {
        return switch (job.state()) {
            case READY, RUNNING, WAITING -> true;
            case PAUSED, DONE, FAILED, CANCELLED -> false;
        };
    }
}
