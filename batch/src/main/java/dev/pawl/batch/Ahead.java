package dev.pawl.batch;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a file of rows on a thread of its own, a little ahead of whoever looks at them. */
final class Ahead {
    private static final int PAGE = 200;
    private static final int PAGES = 8;

    private Ahead() {}

    /**
     * What the reader hands over.
     *
     * @param rows in their order
     * @param last whether none follow
     * @param trouble what ended the reading; null when the file did
     */
    private record RowPage(
            List<Row> rows, boolean last, @Nullable Exception trouble) {}

    /** Tells all rows of a file in their order, on the caller's thread. */
    static void read(RowFile file, Consumer<Row> each) throws IOException {
        var pages = new ArrayBlockingQueue<RowPage>(PAGES);
        var reader = Thread.ofPlatform().daemon().name("pawl-rows").start(() -> fill(file, pages));
        try {
            for (var page = pages.take(); ; page = pages.take()) {
                page.rows().forEach(each);
                if (page.last()) {
                    told(page.trouble());
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the rows were not read to their end");
        } finally {
            reader.interrupt();
        }
    }

    private static void told(@Nullable Exception trouble) throws IOException {
        if (trouble instanceof IOException unread) {
            throw unread;
        }
        if (trouble instanceof RuntimeException wrong) {
            throw wrong;
        }
    }

    private static void fill(RowFile file, BlockingQueue<RowPage> pages) {
        var rows = new ArrayList<Row>(PAGE);
        // Whatever ends this thread, somebody waits for its last page.
        @Nullable
        Exception trouble =
                new IOException("the rows could not be read to their end; is there too little memory for them?");
        try {
            file.read(row -> {
                rows.add(row);
                return rows.size() < PAGE || handedOver(rows, pages);
            });
            trouble = null;
        } catch (IOException | RuntimeException e) {
            trouble = e;
        } finally {
            last(new RowPage(List.copyOf(rows), true, trouble), pages);
        }
    }

    private static void last(RowPage page, BlockingQueue<RowPage> pages) {
        try {
            pages.put(page);
        } catch (InterruptedException e) {
            // Nobody wants any more.
        }
    }

    /** Returns whether somebody wants more. */
    private static boolean handedOver(List<Row> rows, BlockingQueue<RowPage> pages) {
        try {
            pages.put(new RowPage(List.copyOf(rows), false, null));
            rows.clear();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
