/** The command {@code pawl}: one class per command. */
@NullMarked
package dev.pawl.cli;

import org.jspecify.annotations.NullMarked;
