package dev.pawl.checks.crash;

import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/** Begins a write to an SQLite file and keeps it, as a process that is stopped at a bad moment does. */
public final class Holder {

    private Holder() {}

    /** Argument: the file. Prints {@code holding}. */
    public static void main(String[] arguments) throws SQLException, InterruptedException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + arguments[0]);
                var statement = connection.createStatement()) {
            statement.execute("begin immediate");
            System.out.println("holding");
            new Signal().await(Time.system(), 0, Duration.ofMinutes(5));
        }
    }
}
