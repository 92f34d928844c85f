package dev.pawl.spring;

import dev.pawl.PawlOptions;

/** A bean that changes how Pawl works in ways that no property has: prices, rates, listeners. */
@FunctionalInterface
public interface PawlOptionsCustomizer {
    /** Changed options. */
    PawlOptions customize(PawlOptions options);
}
