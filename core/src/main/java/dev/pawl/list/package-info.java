/** How anything long is read in parts: which part of a list, and from where on. Jobs, journals, what happened and rows are read so. */
@NullMarked
package dev.pawl.list;

import org.jspecify.annotations.NullMarked;
