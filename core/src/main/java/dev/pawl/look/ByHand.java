package dev.pawl.look;

import dev.pawl.decision.Audit;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a person did to a job.
 *
 * @param at when
 * @param did what: a verdict's word, {@link #RETRIED}, {@link #RESUBMITTED}, {@link #DISCARDED}, {@link #CALLED_OFF}, {@link #HURRIED} or
 *     {@link #INSISTED}
 * @param by who, as they claim it
 * @param why the note they left
 * @param user the user of the operating system who did it; null where nobody wrote that down
 * @param host the machine on which they did; null likewise
 */
public record ByHand(
        Instant at,
        String did,
        String by,
        String why,
        @Nullable String user,
        @Nullable String host) {

    /** A failed job is tried again. */
    public static final String RETRIED = "retried";

    /** A finished job is done again from the start. */
    public static final String RESUBMITTED = "resubmitted";

    /** A failed job is given up, or what happened twice was dealt with. */
    public static final String DISCARDED = "discarded";

    /** A job ends at its next boundary. */
    public static final String CALLED_OFF = "called off";

    /** A job that waits to be tried again waits no longer. */
    public static final String HURRIED = "hurried";

    /** Likewise, although an earlier attempt can still land. */
    public static final String INSISTED = "hurried, even now";

    /** All that people did, as a journal has it. */
    static List<ByHand> of(List<JournalLine> journal) {
        return journal.stream().flatMap(ByHand::of).toList();
    }

    private static Stream<ByHand> of(JournalLine line) {
        return switch (line.entry()) {
            case Entry.Decided e ->
                of(line, e.decision().verdict().word(), e.decision().audit());
            case Entry.Retried e -> of(line, RETRIED, e.audit());
            case Entry.Resubmitted e -> of(line, RESUBMITTED, e.audit());
            case Entry.Discarded e -> of(line, DISCARDED, e.audit());
            case Entry.CancelAsked e -> of(line, CALLED_OFF, e.audit());
            case Entry.Delivered e -> {
                var audit = e.message().hurriedBy();
                yield audit == null ? Stream.of() : of(line, e.message().insists() ? INSISTED : HURRIED, audit);
            }
            default -> Stream.of();
        };
    }

    private static Stream<ByHand> of(JournalLine line, String did, Audit audit) {
        var origin = audit.origin();
        return Stream.of(new ByHand(
                line.at(),
                did,
                audit.who(),
                audit.why(),
                origin == null ? null : origin.user(),
                origin == null ? null : origin.host()));
    }
}
