/** Spans and metrics of what jobs do, through the OpenTelemetry API. */
@NullMarked
package dev.pawl.opentelemetry;

import org.jspecify.annotations.NullMarked;
