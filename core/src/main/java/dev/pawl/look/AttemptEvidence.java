package dev.pawl.look;

import dev.pawl.effect.Tried;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Place;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a person needs to find out at the destination what became of something: of what a job asks about, of what failed it, or of what it is at.
 *
 * @param place what it is about
 * @param key the effect key as the call or the command got it
 * @param input what the job was given
 * @param last the attempt that is in question: the last that may have happened, else the last; null when there was none
 * @param wanted the request that the code makes now, where it asks about that: to be approved, or another one than was sent; null when it is not
 */
public record AttemptEvidence(
        Place place,
        String key,
        String input,
        @Nullable LastAttempt last,
        @Nullable String wanted) {

    /**
     * An attempt.
     *
     * @param number as the call or the command was told it
     * @param fence under which it was made; 0 of a step
     * @param by the worker that made it, as people know it; null when nobody wrote it down
     * @param request what was sent, as people may see it, or what a step said that it does; null when nobody wrote it down
     * @param log the last that it wrote; empty when nothing was kept of it
     */
    public record LastAttempt(
            int number,
            long fence,
            @Nullable String by,
            @Nullable String request,
            String log) {}

    /** What {@code lines} say; empty when the job is at nothing that was recorded. */
    public static Optional<AttemptEvidence> of(StoredJob job, List<JournalLine> lines) {
        var run = lines.stream()
                .filter(line -> line.resubmission() == job.standing().resubmission())
                .toList();
        var at = Whereabouts.of(job, run).at();
        if (at == null || at.place().name().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new AttemptEvidence(
                at.place(),
                EffectKey.of(job.identity(), at.place(), job.standing().resubmission()),
                job.given().input(),
                last(at, run),
                job.outcome().question() == null ? null : at.wanted()));
    }

    private static @Nullable LastAttempt last(PlaceHistory at, List<JournalLine> run) {
        if (!at.isEffect()) {
            return ofStep(at, run);
        }
        var open = at.open();
        Tried tried = open.isEmpty() ? at.attempts().getLast() : open.getLast();
        return new LastAttempt(
                tried.number(),
                tried.window().fence(),
                at.by(tried.number()),
                at.request(tried.number()),
                log(run, at.place(), tried.number()));
    }

    /** Of a step only what failed is noted; the attempt that succeeded has a log. */
    private static @Nullable LastAttempt ofStep(PlaceHistory at, List<JournalLine> run) {
        var failed = !(at.known() instanceof PlaceHistory.Known.Result);
        var number = at.stepTries() + (failed ? 0 : 1);
        return number == 0
                ? null
                : new LastAttempt(
                        number,
                        0,
                        failed ? at.stepBy() : null,
                        failed ? at.stepRequest() : null,
                        log(run, at.place(), number));
    }

    private static String log(List<JournalLine> run, Place place, int number) {
        return run.stream()
                .map(JournalLine::entry)
                .filter(entry -> entry instanceof Entry.Logged log
                        && log.number() == number
                        && log.place().equals(place))
                .map(entry -> ((Entry.Logged) entry).text())
                .collect(Collectors.joining());
    }
}
