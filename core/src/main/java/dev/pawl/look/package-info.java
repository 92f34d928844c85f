/**
 * What people and programs see of jobs. Nothing here changes anything.
 *
 * <p>A {@link dev.pawl.look.StoredJob} is a job with all that belongs to it, a {@link dev.pawl.look.JobSummary} one without what it was given and what came of it; both are
 * {@link dev.pawl.look.JobView}s. A {@link dev.pawl.look.JobQuery} says which jobs, a {@link dev.pawl.list.ListPart} which part of a list, a {@link dev.pawl.list.Cursor}
 * from where on. An {@link dev.pawl.look.Occurrence} is something that happened to a job. What stores implement is in {@code dev.pawl.store}.
 */
@NullMarked
package dev.pawl.look;

import org.jspecify.annotations.NullMarked;
