package dev.pawl.cli;

import static dev.pawl.job.Named.named;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.cost.Use;
import dev.pawl.effect.Contract;
import dev.pawl.effect.Verification;
import dev.pawl.event.Events;
import dev.pawl.failure.Rejected;
import dev.pawl.job.Finding;
import dev.pawl.job.Job;
import dev.pawl.job.Rhythm;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Progress;
import dev.pawl.journal.Turn;
import dev.pawl.key.Key;
import dev.pawl.ledger.LedgerPart.PartSeal;
import dev.pawl.ledger.PartSealing;
import dev.pawl.ledger.PartSending;
import dev.pawl.ledger.RowRef;
import dev.pawl.look.StoredJob;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The work in Java that is under way in kept stores. It must stay as it is: the code of today is what finishes the jobs of yesterday. Whatever it does
 * to the outside world is one line of the file {@code sent}.
 */
final class KeptWork {
    static final Workflow<Order, Receipt> ORDERS = Workflow.named("orders", Order.class, Receipt.class);

    /** What is ordered, and how it goes. It has gained a component since the first stores were kept, which makes nothing another order. */
    record Order(String how, int cents, @Nullable String remark) {
        Order(String how, int cents) {
            this(how, cents, null);
        }
    }

    /** What was paid; it has gained a component, too, and is what effects are asked for that were open then. */
    record Receipt(String id, int cents, @Nullable String remark) {
        Receipt(String id, int cents) {
            this(id, cents, null);
        }
    }

    /** Rows that are not jobs. */
    static final String ROWS = "labels";

    /** What one of the orders is part of. */
    static final String TRACED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private static final Duration YEARS = Duration.ofDays(3_650);

    private final Path folder;
    private final boolean holds;

    /**
     * The work of one process.
     *
     * @param folder where {@code sent} is
     * @param holds whether an order that is to be held hangs in its act, as long as the process lives
     */
    KeptWork(Path folder, boolean holds) {
        this.folder = folder;
        this.holds = holds;
    }

    /** A short lease, so that nobody waits long for those who died with theirs. */
    static PawlOptions options() {
        return PawlOptions.usual()
                .log(Events.NOWHERE)
                .term(Duration.ofSeconds(2))
                .grace(Duration.ofSeconds(1));
    }

    Receipt order(Job job, Order order) {
        var quoted = job.step("quote", Receipt.class, () -> new Receipt(order.how(), order.cents()));
        return switch (order.how()) {
            case "talk" -> {
                job.conversation().say("first", "user", "what does it cost?");
                job.conversation().reply("second", "assistant", () -> {
                    job.use(Use.of("m").input(10).output(5).costing(4_200_000L));
                    return quoted.cents() + " cents";
                });
                job.artifact("page", "text/html", "<p>".getBytes(StandardCharsets.UTF_8));
                yield quoted;
            }
            case "signal" ->
                new Receipt(job.awaitSignal("paid", String.class, YEARS).orElse("nobody paid"), quoted.cents());
            case "call" -> job.call("ship", ORDERS, Key.of("called"), new Order("ask", 1));
            case "ask" ->
                job.effect(named("ship"), Contract.none(), quoted, Receipt.class, (request, attempt) -> {
                    send("orders/ask ship");
                    throw new IllegalStateException("the line went dead");
                });
            case "held" ->
                job.effect(
                        named("ship"),
                        Contract.<Receipt>verifiable(attempt -> Verification.happened(new Receipt("found", 3)))
                                .settle(Duration.ZERO),
                        quoted,
                        Receipt.class,
                        (request, attempt) -> {
                            send("orders/held ship");
                            while (holds) {
                                Time.system().await(Duration.ofDays(1));
                            }
                            return new Receipt("sent", 3);
                        });
            case "many" -> {
                job.map("parcels", List.of("a", "b", "c"), parcel -> parcel, (item, parcel) -> {
                    return item.effect(named("ship"), Contract.none(), parcel, String.class, (request, attempt) -> {
                        send("orders/many " + request);
                        if (request.equals("b")) {
                            throw new IllegalStateException("the line went dead");
                        }
                        return request;
                    });
                });
                yield quoted;
            }
            case "rows" -> {
                job.sendRows(named("send"), new PartSending(ROWS, "1", List.of(row(0), row(1)), 3));
                job.sealPart(named("seal"), new PartSealing(ROWS, "1", new PartSeal(2, "hash")));
                yield new Receipt(
                        job.awaitSignal("answered", String.class, YEARS).orElse("nobody answered"), 4);
            }
            case "tools" -> tools(job);
            case "fail" ->
                job.step("refused", Receipt.class, () -> {
                    throw new Rejected("there is none");
                });
            default -> quoted;
        };
    }

    /** A model wants a tool called, which is done in a scope; then it waits for something that goes on elsewhere. */
    private Receipt tools(Job job) {
        job.progress(Progress.done(1, 2).at("asking"));
        var chat = job.conversation();
        chat.say("task", "user", "ship it");
        var reply = chat.reply(
                named("reply").request("ship it"),
                () -> Turn.of("assistant", "").calling("call-1", "ship", "{\"to\":\"anna\"}"));
        var call = reply.toolCalls().getFirst();
        var shipped = job.scope(named("tool").item("1"), tool -> {
            tool.effect(named("ship"), Contract.idempotent(), call.arguments(), String.class, (request, attempt) -> {
                send("orders/tools " + call.tool());
                return "shipped";
            });
            return tool.place("ship");
        });
        var told = chat.say("tool-1", Turn.of("tool", "").answering(call.id()).referringTo(shipped));
        var arrived = job.await(
                "arrival",
                String.class,
                Rhythm.every(Duration.ofDays(6), Duration.ofDays(7)).wokenBy("updated"),
                () -> holds ? Finding.going() : Finding.done("arrived"));
        return new Receipt(
                told.content() + " " + told.answers() + " " + arrived,
                chat.turns().size());
    }

    /** The key of a row, and the row as it was enrolled. */
    static Key rowKey(int number) {
        return Key.of("row", number);
    }

    static RowRef row(int number) {
        return new RowRef(rowKey(number).toString(), 1);
    }

    private void send(String what) throws IOException {
        Files.writeString(folder.resolve("sent"), what + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** The file of a flow that kept stores hold jobs of. */
    String flow(String name) {
        return folder.resolve(name + ".yaml").toString();
    }

    static StoredJob order(Pawl pawl, String key) {
        return pawl.find(ORDERS, Key.of(key)).orElseThrow();
    }

    /** Waits until an order is as it should be. */
    static StoredJob awaitOrder(Pawl pawl, String key, Predicate<StoredJob> is) throws InterruptedException {
        for (var job = order(pawl, key); ; job = order(pawl, key)) {
            if (is.test(job)) {
                return job;
            }
            Time.system().await(Duration.ofMillis(10));
        }
    }
}
