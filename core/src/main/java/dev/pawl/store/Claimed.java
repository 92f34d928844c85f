package dev.pawl.store;

import dev.pawl.journal.JournalLine;
import dev.pawl.look.StoredJob;
import java.util.List;

/**
 * A job that was just claimed, with what its current run has recorded.
 *
 * @param job as it stands now; its fence is the claimer's
 * @param journal of the current resubmission
 */
public record Claimed(StoredJob job, List<JournalLine> journal) {}
