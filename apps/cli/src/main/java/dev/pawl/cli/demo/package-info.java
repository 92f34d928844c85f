/**
 * The demonstration: three kinds of process, as in a real night.
 *
 * <p>{@link dev.pawl.cli.demo.Site} receives posts and never dies; it is the judge. {@link dev.pawl.cli.demo.NightShift} posts ten articles
 * and is killed with {@code kill -9} at the worst moment, twice. {@link dev.pawl.cli.demo.Demo} starts and kills them, and counts.
 */
@NullMarked
package dev.pawl.cli.demo;

import org.jspecify.annotations.NullMarked;
