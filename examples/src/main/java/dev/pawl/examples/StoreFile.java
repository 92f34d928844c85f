package dev.pawl.examples;

import java.nio.file.Path;

/** The file that an example keeps its store in: the first word behind its name. Whoever leaves it out is told what is wanted. */
final class StoreFile {

    private StoreFile() {}

    static Path of(String[] arguments) {
        if (arguments.length == 0) {
            throw new IllegalArgumentException("give the path of a store file, which need not be there yet: pawl.db");
        }
        return Path.of(arguments[0]);
    }
}
