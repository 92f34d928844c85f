/** What stores share that keep documents and no tables: load, let the rules change copies, and apply them if nobody was faster. */
@NullMarked
package dev.pawl.store.document;

import org.jspecify.annotations.NullMarked;
