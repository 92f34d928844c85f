package dev.pawl.cli;

import dev.pawl.PawlOptions;
import dev.pawl.cost.KeptPrices;
import dev.pawl.cost.Prices;
import dev.pawl.decision.Audit;
import dev.pawl.desk.Fields;
import dev.pawl.desk.Words;
import dev.pawl.text.Visible;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pawl prices show|import}: what models cost, for everybody who works with the store. */
@Command(
        name = "prices",
        description = "Show what models cost, or import a table for everybody who works with the store."
                + " Example: pawl prices import model_prices_and_context_window.json",
        mixinStandardHelpOptions = true)
final class PricesCommand implements Callable<Integer> {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Parameters(
            index = "0",
            paramLabel = "WHAT",
            arity = "0..1",
            description = "show or import; show unless said. To import puts a table in the place of the one before.")
    private String what = "show";

    @Parameters(
            index = "1..*",
            paramLabel = "WHICH",
            arity = "0..*",
            description =
                    "Models to show; all unless said. Or files to import: lines of model,input,output in US dollars per"
                            + " million tokens, or litellm's model_prices_and_context_window.json; of several the last one that has a model holds.")
    private List<String> which = List.of();

    @Option(
            names = "--note",
            paramLabel = "WHY",
            description = "Why, for whoever reads this later; else from which files.")
    private @Nullable String why;

    @Option(names = "--by", paramLabel = "NAME", description = "Who imports; else the user's name.")
    private String who = System.getProperty("user.name", "somebody");

    @Override
    public Integer call() throws IOException {
        switch (what) {
            case "show" -> show();
            case "import" -> take();
            default ->
                throw new IllegalArgumentException(
                        "\"" + what + "\" is neither show nor import; pawl prices import FILE imports a table");
        }
        return 0;
    }

    private void take() throws IOException {
        if (which.isEmpty()) {
            throw new IllegalArgumentException("say which file: pawl prices import FILE");
        }
        var table = Prices.none();
        for (var file : which) {
            var read = Prices.read(Path.of(file));
            if (read.models().isEmpty()) {
                throw new IllegalArgumentException(file + " has no price in it");
            }
            table = table.and(read);
        }
        var audit = new Audit(who, why == null ? "from " + String.join(", ", which) : why);
        try (var pawl = store.openOrMake(PawlOptions.usual())) {
            pawl.operator().keepPrices(table, audit);
            var many = table.models().size();
            json.say(
                    Words.many(many, "model") + " priced from now on, as " + who
                            + " imported it; runs that are given --prices FILE go by that file",
                    Fields.of("models", many, "by", who, "note", audit.why()));
        }
    }

    private void show() {
        try (var pawl = store.look()) {
            var kept = pawl.operator().prices();
            if (kept.isEmpty()) {
                if (!json.wanted()) {
                    System.out.println("# no prices were imported; pawl prices import FILE"
                            + pawl.operator().storeOption());
                }
                return;
            }
            var wanted = wanted(kept.get().prices().models());
            if (!json.wanted()) {
                System.out.println(Visible.of(heading(kept.get())));
                System.out.print(Visible.lines(new Prices(wanted).text()));
                return;
            }
            wanted.forEach((model, price) -> json.say("", fields(model, price)));
        }
    }

    private Map<String, Prices.Price> wanted(Map<String, Prices.Price> models) {
        var wanted = new TreeMap<String, Prices.Price>();
        for (var model : which) {
            var price = models.get(model);
            if (price == null) {
                throw new IllegalArgumentException("there is no price of " + model + "; pawl prices shows all");
            }
            wanted.put(model, price);
        }
        return which.isEmpty() ? new TreeMap<>(models) : wanted;
    }

    /** A remark for whoever reads the lines, and for {@code import}, which takes them back. */
    private static String heading(KeptPrices kept) {
        return "# US dollars per million tokens; imported " + Words.local(kept.at()) + " by "
                + kept.audit().text();
    }

    private static Map<String, @Nullable Object> fields(String model, Prices.Price price) {
        return Fields.of(
                "model",
                model,
                "input",
                price.input(),
                "output",
                price.output(),
                "cachedInput",
                price.cached(),
                "batchInput",
                price.batchInput(),
                "batchOutput",
                price.batchOutput(),
                "cacheWrite",
                price.cacheWrite());
    }
}
