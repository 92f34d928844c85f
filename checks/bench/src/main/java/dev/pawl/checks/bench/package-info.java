/**
 * Speed as a share of its bound, measured in one run: {@link dev.pawl.checks.bench.RawRows} writes the rows and nothing else,
 * {@link dev.pawl.checks.bench.Skeleton} adds the waiting for each commit, {@link dev.pawl.checks.bench.PawlSubject} is Pawl. All three write
 * the same rows into the same tables of a new file.
 */
@NullMarked
package dev.pawl.checks.bench;

import org.jspecify.annotations.NullMarked;
