/**
 * An HTTP client that knows what an answer means for an effect: refused means nothing happened, a time-out means that nobody knows.
 */
@NullMarked
package dev.pawl.http;

import org.jspecify.annotations.NullMarked;
