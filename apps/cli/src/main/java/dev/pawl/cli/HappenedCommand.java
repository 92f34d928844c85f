package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.desk.OccurrenceText;
import dev.pawl.list.Cursor;
import dev.pawl.look.Occurrence;
import dev.pawl.text.ShellWord;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code pawl happened}: everything that happened to jobs, in order, from a cursor on. */
@Command(
        name = "happened",
        description =
                "Tell what happened to jobs, in order: nothing is missed and nothing told twice, by whoever goes on from the cursor that was told last."
                        + " Example: pawl happened --workflow nightly -f",
        mixinStandardHelpOptions = true)
final class HappenedCommand implements Callable<Integer> {
    private static final Duration FOR_EVER = Duration.ofDays(1);
    private static final int AT_ONCE = 1_000;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Option(
            names = "--after",
            paramLabel = "CURSOR",
            description = "Only what came behind this cursor; all unless said.")
    private @Nullable String after;

    @Option(
            names = "--workflow",
            paramLabel = "NAME",
            description = "Only what happened to jobs of this workflow or batch.")
    private @Nullable String workflow;

    @Option(names = "-n", paramLabel = "MANY", description = "At most so many; all unless said.")
    private long most = Long.MAX_VALUE;

    @Option(
            names = {"-f", "--follow"},
            description = "Stay, and tell what happens from now on too, until Ctrl-C.")
    private boolean follow;

    @Override
    public Integer call() throws Exception {
        if (most < 1) {
            throw new IllegalArgumentException("-n takes 1 or more, not " + most);
        }
        if (follow && most != Long.MAX_VALUE) {
            throw new IllegalArgumentException("-n and -f do not go together");
        }
        return Interruption.ending(() -> {
            try (var pawl = store.look()) {
                if (follow) {
                    follow(pawl);
                } else {
                    tell(pawl);
                }
                return 0;
            } catch (InterruptedException e) {
                return 0;
            }
        });
    }

    private Cursor cursor() {
        return after == null ? Cursor.START : new Cursor(after);
    }

    private boolean isWanted(Occurrence one) {
        return workflow == null || workflow.equals(one.identity().workflow());
    }

    private void say(Occurrence one) {
        json.say(OccurrenceText.of(one), OccurrenceText.fields(one));
    }

    private void follow(Pawl pawl) throws InterruptedException {
        var watch = pawl.watch(cursor(), this::isWanted, this::say);
        try {
            while (true) {
                Time.system().await(FOR_EVER);
            }
        } finally {
            watch.close();
        }
    }

    /** Who comes back later is told where to go on. */
    private void tell(Pawl pawl) {
        var left = most;
        var cursor = cursor();
        var more = true;
        while (more && left > 0) {
            var page = pawl.happened(cursor, this::isWanted, (int) Math.min(left, AT_ONCE));
            page.occurrences().forEach(this::say);
            left -= page.occurrences().size();
            cursor = page.next();
            more = page.more();
        }
        System.err.println("pawl: go on from here with --after " + ShellWord.of(cursor.text()));
    }
}
