package dev.pawl.cli;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** How far a run is, for somebody who watches it at a terminal; nothing elsewhere. Thread-safe. */
final class Bar implements AutoCloseable {
    private static final int EVERY_MILLIS = 200;
    private static volatile boolean standing;

    private final Screen screen;
    private final String name;
    private @Nullable ProgressBar shown;

    Bar(Screen screen, String name) {
        this.screen = screen;
        this.name = name;
    }

    /** What takes a bar away that stands where something is to be written; it comes again below. Empty when none stands. */
    static String aside() {
        return standing ? "\r\u001b[K" : "";
    }

    /** So many are to be done. */
    synchronized void begins(long all) {
        if (screen.colours() && all > 0) {
            standing = true;
            shown = new ProgressBarBuilder()
                    .setTaskName(name)
                    .setInitialMax(all)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setUpdateIntervalMillis(EVERY_MILLIS)
                    .setConsumer(new ConsoleProgressBarConsumer(System.err, screen.columns() - 1))
                    .build();
        }
    }

    /** One more is done. */
    synchronized void one() {
        if (shown != null) {
            shown.step();
        }
    }

    /** Leaves a clean line. */
    @Override
    public synchronized void close() {
        if (shown != null) {
            shown.close();
            shown = null;
            standing = false;
        }
    }
}
