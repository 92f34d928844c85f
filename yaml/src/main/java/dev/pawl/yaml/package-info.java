/**
 * Files that people write in YAML: read as a {@link dev.pawl.yaml.Yaml} whose parts know where they stand, with all that is wrong with them told at once as
 * {@link dev.pawl.yaml.Problem}s, and {@link dev.pawl.yaml.ValuePath}s into values.
 */
@NullMarked
package dev.pawl.yaml;

import org.jspecify.annotations.NullMarked;
