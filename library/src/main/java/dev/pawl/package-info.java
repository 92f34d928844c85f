/**
 * The front door. {@link dev.pawl.Pawl} opens a store, runs workflows and submits jobs; everything a workflow's code needs is in
 * {@link dev.pawl.job}, {@link dev.pawl.effect}, {@link dev.pawl.key} and {@link dev.pawl.retry}.
 */
@NullMarked
package dev.pawl;

import org.jspecify.annotations.NullMarked;
