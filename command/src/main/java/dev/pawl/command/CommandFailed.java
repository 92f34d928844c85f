package dev.pawl.command;

import dev.pawl.failure.EndedInDoubt;
import org.jspecify.annotations.Nullable;

/** A command has ended in a way that does not say that nothing happened. */
public final class CommandFailed extends EndedInDoubt {
    private final Exit exit;

    CommandFailed(Exit exit, String message) {
        super(message);
        this.exit = exit;
    }

    CommandFailed(Exit exit, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exit = exit;
    }

    /** How it ended. */
    public Exit exit() {
        return exit;
    }
}
