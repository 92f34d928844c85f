/**
 * Workflows as YAML, for those who do not write Java: each step is a command.
 *
 * <pre>
 * A file is read by {@link dev.pawl.script.FlowReader}, which names line and column of everything that is wrong with it.
 * A {@link dev.pawl.script.Flow} is what it says; {@link dev.pawl.script.FlowCode} does it, as the code of a workflow like any other.
 * A string is shell and never templated; a list is a program with its arguments and may be, as may environment and questions.
 * There are no conditions and no expressions: whoever needs them writes a program and calls it.
 * </pre>
 */
@NullMarked
package dev.pawl.script;

import org.jspecify.annotations.NullMarked;
