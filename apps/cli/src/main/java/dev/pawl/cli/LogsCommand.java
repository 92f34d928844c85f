package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.command.Commands;
import dev.pawl.command.Folder;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Line;
import dev.pawl.store.StoredJob;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.HashMap;
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

    /** How much of what is written at this moment was shown, by attempt. */
    private final Map<String, Integer> live = new HashMap<>();

    @Override
    public Integer call() throws Exception {
        return Interruption.ending(() -> {
            try (var pawl = store.open()) {
                var job = StoreOption.find(pawl, name);
                var shown = tell(pawl, job, 0);
                while (follow && goesOn(pawl.find(job.identity()).orElseThrow())) {
                    for (var folder : Commands.running(store.beside("commands"), job.identity())) {
                        tellLive(folder);
                    }
                    Time.system().await(LOOK);
                    shown = tell(pawl, job, shown);
                }
                return 0;
            } catch (InterruptedException e) {
                return 0;
            }
        });
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

    private void tell(Line line, Entry.Logged log) {
        var attempt = log.place().name() + ", attempt " + log.number();
        var before = live.getOrDefault(attempt, 0);
        var text = harmless(log.text().substring(Math.min(before, log.text().length())));
        json.say(
                (before > 0 ? "" : "== " + attempt + ", " + Words.local(line.at()) + "\n") + text.stripTrailing(),
                JsonOption.fields(
                        "place", log.place().toString(), "attempt", log.number(), "at", line.at(), "text", log.text()));
    }

    /** What a command that runs has written since it was looked at. */
    private void tellLive(Folder folder) throws IOException {
        String text;
        String attempt;
        try {
            attempt = folder.attempt();
            text = Files.readString(folder.log(), StandardCharsets.UTF_8);
        } catch (NoSuchFileException | MalformedInputException e) {
            // It has written nothing yet, or is gone, or is in the middle of a letter.
            return;
        }
        var before = live.getOrDefault(attempt, 0);
        if (json.wanted() || text.length() <= before) {
            return;
        }
        System.out.print(
                (before > 0 ? "" : "== " + attempt + ", which still runs\n") + harmless(text.substring(before)));
        System.out.flush();
        live.put(attempt, text.length());
    }

    /** What a command wrote must not move anybody's cursor or forge a line. */
    private static String harmless(String text) {
        return text.replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "");
    }

    private static boolean goesOn(StoredJob job) {
        return switch (job.state()) {
            case READY, RUNNING, WAITING -> true;
            case PAUSED, DONE, FAILED, CANCELLED -> false;
        };
    }
}
