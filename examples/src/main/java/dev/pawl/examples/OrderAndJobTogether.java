package dev.pawl.examples;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A row of your own in PostgreSQL and the job that it makes necessary, in one commit: both are there, or neither ever was. */
public final class OrderAndJobTogether {

    private static final Workflow<String, String> SHIP = Workflow.named("ship", String.class, String.class);

    private OrderAndJobTogether() {}

    /** Argument: the address of a PostgreSQL database, {@code jdbc:postgresql://HOST/DATABASE?user=NAME}. */
    public static void main(String[] arguments) throws InterruptedException, SQLException {
        if (arguments.length != 1) {
            throw new IllegalArgumentException(
                    "give the address of a PostgreSQL database: jdbc:postgresql://HOST/DATABASE?user=NAME");
        }
        try (var pawl = Pawl.openOrCreate(arguments[0], PawlOptions.usual());
                var connection = DriverManager.getConnection(arguments[0])) {
            pawl.work(SHIP.implementedBy((job, what) -> job.step("pack", String.class, () -> "shipped the " + what)));
            connection.setAutoCommit(false);
            order(pawl, connection, "lamp");
            connection.rollback();
            order(pawl, connection, "chair");
            connection.commit();
            System.out.println(pawl.submit(SHIP, Key.of("chair"), "chair").join());
            System.out.println("is there a job for the lamp? "
                    + pawl.find(SHIP, Key.of("lamp")).isPresent());
        }
    }

    private static void order(Pawl pawl, Connection connection, String what) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("create table if not exists ordered (what text not null)");
            statement.execute("insert into ordered values ('" + what + "')");
        }
        pawl.submit(connection, SHIP, Key.of(what), what);
    }
}
