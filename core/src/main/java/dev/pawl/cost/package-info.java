/**
 * What work costs.
 *
 * <p>A {@link dev.pawl.cost.Use} is one call of a model: tokens in, out and from the cache, and tool calls. It is recorded with the attempt
 * that it was made in, failed ones too, and priced by the {@link dev.pawl.cost.Prices} of that moment. A {@link dev.pawl.cost.Cost} is a sum
 * of uses that never takes what is not known for nothing: a model without a price, and an attempt that died with its process, make it unknown
 * how much more it was. {@link dev.pawl.cost.Spent} is what the store adds up for each workflow, day and model.
 */
@NullMarked
package dev.pawl.cost;

import org.jspecify.annotations.NullMarked;
