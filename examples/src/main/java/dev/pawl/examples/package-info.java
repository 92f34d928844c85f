/** Examples, one idea each. Every one has a {@code main} that takes the path of a store file, or says what else it wants; the build runs them all. */
@NullMarked
package dev.pawl.examples;

import org.jspecify.annotations.NullMarked;
