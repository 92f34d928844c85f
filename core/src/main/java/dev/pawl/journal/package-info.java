/**
 * A job's append-only record: attempts, answers, questions, decisions.
 *
 * <p>{@link dev.pawl.journal.Entry} is one thing that was recorded, {@link dev.pawl.journal.JournalLine} the same with when and under which fence,
 * {@link dev.pawl.journal.EntryText} how a store keeps it. {@link dev.pawl.journal.History} is what the engine reads on a resume: for each
 * place in the workflow, what is known about it. Entries are read in the order in which they were committed.
 */
@NullMarked
package dev.pawl.journal;

import org.jspecify.annotations.NullMarked;
