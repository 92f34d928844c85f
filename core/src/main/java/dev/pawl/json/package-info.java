/**
 * Values as JSON: how inputs, requests and results are written down, and the canonical form that fingerprints are made of.
 */
@NullMarked
package dev.pawl.json;

import org.jspecify.annotations.NullMarked;
