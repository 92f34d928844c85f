/**
 * For tests of workflows.
 *
 * <p>{@link dev.pawl.test.PawlTest} runs workflows on the real engine over a store in memory, with a clock that stands still until the test
 * advances it. {@link dev.pawl.test.ExportedJob} is a job with its journal as text: keep one from production beside your tests, and let
 * {@link dev.pawl.test.ExportedJob#replay} tell whether the code of today still fits it.
 */
@NullMarked
package dev.pawl.test;

import org.jspecify.annotations.NullMarked;
