package dev.pawl.examples;

import static dev.pawl.effect.Contract.verifiable;
import static dev.pawl.job.Named.named;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.Verification;
import dev.pawl.failure.NotSent;
import dev.pawl.fence.FencedTable;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** A worker is frozen just before it ships; another one takes the job over and ships. When the first goes on, its fence is old, and the table refuses it. */
public final class FenceAtTheEdge {
    private static final Workflow<String, String> SHIP = Workflow.named("ship", String.class, String.class);
    private static final FencedTable FENCES = FencedTable.named("pawl_fences");

    private final Path shop;
    private final boolean freezes;

    private FenceAtTheEdge(Path shop, boolean freezes) {
        this.shop = shop;
        this.freezes = freezes;
    }

    /** A store, and a shop's own database beside it. The second process of this example is the one that is frozen. */
    public static void main(String[] arguments) throws Exception {
        var store = StoreFile.of(arguments);
        var example = new FenceAtTheEdge(store.resolveSibling("shop.db"), arguments.length > 1);
        if (arguments.length > 1) {
            example.work(store);
            return;
        }
        try (var connection = example.connect();
                var statement = connection.createStatement()) {
            FENCES.create(connection);
            statement.execute("create table if not exists shipment (key text not null)");
            connection.commit();
        }
        var frozen = example.anotherProcess(store);
        try {
            var says = new BufferedReader(new InputStreamReader(frozen.getInputStream(), StandardCharsets.UTF_8));
            says.readLine();
            freeze(frozen, store);
            example.work(store);
            System.out.println("shipped by somebody else, " + example.shipments() + " in all");
            signal("CONT", frozen);
            frozen.getOutputStream().write('\n');
            frozen.getOutputStream().flush();
            System.out.println("and the first one, late: " + says.readLine());
            frozen.waitFor();
            System.out.println("shipped " + example.shipments() + " in all");
        } finally {
            frozen.destroyForcibly();
        }
    }

    /** Stops it while it writes nothing to the store, which it cannot while we hold the file: stopped inside a write it would hold the file itself. */
    private static void freeze(Process process, Path store) throws Exception {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + store);
                var statement = connection.createStatement()) {
            statement.execute("begin immediate");
            signal("STOP", process);
            statement.execute("rollback");
        }
    }

    private void work(Path store) throws InterruptedException {
        // Whoever is to be frozen is soon given up.
        var soon = freezes ? Duration.ofSeconds(1) : Duration.ofMinutes(1);
        var options = PawlOptions.usual().term(soon);
        try (var pawl = Pawl.openOrCreate(store, options)) {
            pawl.work(SHIP.implementedBy((job, parcel) -> job.effect(
                    named("ship").timeout(soon),
                    verifiable(this::isThere).settle(Duration.ofMillis(100)),
                    parcel,
                    String.class,
                    (request, a) -> ship(a))));
            pawl.submit(SHIP, Key.of("parcel-7"), "parcel-7").join();
        }
    }

    private String ship(Attempt a) throws SQLException, IOException {
        if (freezes) {
            System.out.println("about to ship");
            System.in.read();
        }
        try (var connection = connect();
                var insert = connection.prepareStatement("insert into shipment values (?)")) {
            FENCES.admit(connection, a);
            insert.setString(1, a.key());
            insert.executeUpdate();
            connection.commit();
            return "shipped";
        } catch (NotSent refused) {
            System.out.println("refused, fence " + a.fence() + " is old");
            throw refused;
        }
    }

    private Verification<String> isThere(Attempt a) throws SQLException {
        try (var connection = connect();
                var look = connection.prepareStatement("select 1 from shipment where key = ?")) {
            look.setString(1, a.key());
            return look.executeQuery().next() ? Verification.happened("shipped") : Verification.didNotHappen();
        }
    }

    private int shipments() throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery("select count(*) from shipment")) {
            row.next();
            return row.getInt(1);
        }
    }

    private Connection connect() throws SQLException {
        var connection = DriverManager.getConnection("jdbc:sqlite:" + shop);
        connection.setAutoCommit(false);
        return connection;
    }

    private Process anotherProcess(Path store) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(List.of(
                        java,
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FenceAtTheEdge.class.getName(),
                        store.toString(),
                        "the one that is frozen"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void signal(String name, Process process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }
}
