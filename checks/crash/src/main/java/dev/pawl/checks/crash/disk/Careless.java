package dev.pawl.checks.crash.disk;

import java.sql.DriverManager;
import java.sql.SQLException;

/** The control: writes rows with {@code synchronous=off} and acknowledges each, as a store must not. */
public final class Careless {
    private Careless() {}

    /** Arguments: file, number of rows. */
    public static void main(String[] arguments) {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + arguments[0]);
                var statement = connection.createStatement()) {
            statement.execute("pragma journal_mode=wal");
            statement.execute("pragma synchronous=off");
            statement.execute("create table row (number integer)");
            for (var i = 1; i <= Integer.parseInt(arguments[1]); i++) {
                statement.execute("insert into row values (" + i + ")");
                System.out.println("ack " + i);
            }
        } catch (SQLException e) {
            System.out.println("gave up: " + e.getMessage());
        }
    }
}
