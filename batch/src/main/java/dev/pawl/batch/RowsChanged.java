package dev.pawl.batch;

/** The rows are not those that were looked at before anything started: somebody writes them. */
public final class RowsChanged extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    RowsChanged(String message) {
        super(message);
    }
}
