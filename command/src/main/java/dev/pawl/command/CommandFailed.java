package dev.pawl.command;

/** A command has ended in a way that does not say that nothing happened. */
public final class CommandFailed extends Exception {
    private final Exit exit;

    CommandFailed(Exit exit, String message) {
        super(message);
        this.exit = exit;
    }

    /** How it ended. */
    public Exit exit() {
        return exit;
    }
}
