package dev.pawl;

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
 * @param did what: a verdict's word, {@code retried}, {@code resubmitted}, {@code discarded}, {@code called off}, {@code hurried} or
 *     {@code hurried, even now}
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

    /** All that people did, as a journal has it. */
    static List<ByHand> of(List<JournalLine> journal) {
        return journal.stream().flatMap(ByHand::of).toList();
    }

    private static Stream<ByHand> of(JournalLine line) {
        return switch (line.entry()) {
            case Entry.Decided e ->
                of(line, e.decision().verdict().word(), e.decision().audit());
            case Entry.Retried e -> of(line, "retried", e.audit());
            case Entry.Resubmitted e -> of(line, "resubmitted", e.audit());
            case Entry.Discarded e -> of(line, "discarded", e.audit());
            case Entry.CancelAsked e -> of(line, "called off", e.audit());
            case Entry.Delivered e -> {
                var audit = e.message().hurriedBy();
                yield audit == null
                        ? Stream.of()
                        : of(line, e.message().insists() ? "hurried, even now" : "hurried", audit);
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
