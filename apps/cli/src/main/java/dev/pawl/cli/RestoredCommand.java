package dev.pawl.cli;

import dev.pawl.desk.Fields;
import dev.pawl.gate.GateNames;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code pawl restored}: the store's database was restored from a backup, and somebody has to look before anything goes on. */
@Command(
        name = "restored",
        description =
                "Say that the store's database was restored from a backup: what was done since would be done again, so everybody waits until somebody has looked, and opens one gate."
                        + " Example: pawl restored --store jdbc:postgresql://db.internal/app",
        mixinStandardHelpOptions = true)
final class RestoredCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Override
    public Integer call() {
        var there = store.unopened();
        there.restore();
        try (var pawl = store.look()) {
            var waits = pawl.operator().restored().isPresent();
            json.say(
                    waits
                            ? there.shown()
                                    + " is restored, and everybody waits. Look at what was done since the backup, at its destination; then: pawl open "
                                    + GateNames.RESTORED + pawl.operator().storeOption() + " --note WHY"
                            : there.shown() + " is no backup, and goes on as it did",
                    Fields.of("store", there.shown(), "waits", waits));
        }
        return 0;
    }
}
