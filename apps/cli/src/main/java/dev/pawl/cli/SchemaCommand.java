package dev.pawl.cli;

import dev.pawl.desk.Fields;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code pawl schema print|migrate|show}: what a store's tables are, and bringing them forward on purpose. */
@Command(
        name = "schema",
        description =
                "Say which schema the store has, print the schema of this Pawl as SQL, or bring the store forward to it."
                        + " Example: pawl schema migrate --store pawl.db",
        mixinStandardHelpOptions = true)
final class SchemaCommand implements Callable<Integer> {

    /** What is wanted. */
    enum SchemaAction {
        show,
        print,
        migrate
    }

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Parameters(paramLabel = "WHAT", arity = "0..1", description = "show, print or migrate; show unless said.")
    private SchemaAction action = SchemaAction.show;

    @Override
    public Integer call() {
        switch (action) {
            case print -> System.out.println(store.schemaText());
            case show -> {
                var there = store.schema();
                tell(there, there, store.shown() + " has schema " + there + "; this Pawl writes " + store.ourSchema());
            }
            case migrate -> {
                var before = store.schema();
                store.bringForward();
                tell(before, store.schema(), store.shown() + " has schema " + store.schema() + "; it had " + before);
            }
        }
        return 0;
    }

    private void tell(int before, int now, String text) {
        json.say(text, Fields.of("store", store.shown(), "before", before, "schema", now, "writes", store.ourSchema()));
    }
}
