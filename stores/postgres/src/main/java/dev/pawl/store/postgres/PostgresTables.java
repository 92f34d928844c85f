package dev.pawl.store.postgres;

import java.util.Set;

/** The tables of a store. */
final class PostgresTables {
    /** Their names; a test compares them with those that a new store has. */
    static final Set<String> OURS = Set.of(
            "artifact",
            "attempt",
            "call",
            "claim_group",
            "collection",
            "follow_up",
            "gate",
            "gone",
            "identified",
            "job",
            "journal",
            "ledger_attempt",
            "ledger_count",
            "ledger_part",
            "ledger_payload",
            "ledger_row",
            "ledger_word",
            "meta",
            "passed",
            "prices",
            "queue",
            "spent",
            "tally",
            "worker");

    private PostgresTables() {}
}
