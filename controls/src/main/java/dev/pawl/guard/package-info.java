/** Never two at once: a lock by name that lasts as long as its holder, or a command that outlived it. */
@NullMarked
package dev.pawl.guard;

import org.jspecify.annotations.NullMarked;
