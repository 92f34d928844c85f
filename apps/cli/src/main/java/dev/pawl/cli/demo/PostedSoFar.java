package dev.pawl.cli.demo;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How far it is: a bar on a terminal, lines elsewhere. */
sealed interface PostedSoFar extends AutoCloseable {

    static PostedSoFar of(PrintStream out, boolean terminal, int all) {
        return terminal ? new MovingBar(out, all) : new LineForEach(out, all);
    }

    /** So many are there. */
    void reached(int count);

    /** Something to read, above the bar. */
    void note(String text);

    @Override
    void close();

    /** A moving bar. */
    final class MovingBar implements PostedSoFar {
        private final PrintStream out;
        private final ProgressBar bar;

        MovingBar(PrintStream out, int all) {
            this.out = out;
            this.bar = new ProgressBarBuilder()
                    .setTaskName("posted")
                    .setInitialMax(all)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setUpdateIntervalMillis(100)
                    .setConsumer(new ConsoleProgressBarConsumer(out))
                    .build();
        }

        @Override
        public void reached(int count) {
            bar.stepTo(count);
        }

        @Override
        public void note(String text) {
            bar.refresh();
            out.println();
            out.println("  " + text);
        }

        @Override
        public void close() {
            bar.close();
        }
    }

    /** A line for each one. */
    final class LineForEach implements PostedSoFar {
        private final PrintStream out;
        private final int all;
        private int shown;

        LineForEach(PrintStream out, int all) {
            this.out = out;
            this.all = all;
        }

        @Override
        public void reached(int count) {
            if (count > shown) {
                shown = count;
                out.println("posted " + count + " of " + all);
            }
        }

        @Override
        public void note(String text) {
            out.println("  " + text);
        }

        @Override
        public void close() {
            out.flush();
        }
    }
}
