package dev.pawl.json;

import tools.jackson.databind.JacksonModule;

/**
 * Modules for types of one's own, which write and read the values that users' code gives and gets: inputs, requests, results. Found by
 * {@link java.util.ServiceLoader}: name a class that implements this in {@code META-INF/services/dev.pawl.json.ValueModules}. Modules that are
 * merely on the class path are not taken, because what they write is stored, and compared with, for years; Kotlin's is.
 */
public interface ValueModules {
    /** The modules, the same in every process that submits or works on the same jobs. */
    Iterable<JacksonModule> modules();
}
