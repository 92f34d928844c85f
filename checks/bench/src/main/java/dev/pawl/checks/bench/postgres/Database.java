package dev.pawl.checks.bench.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A database for one round of one contender; gone afterwards. */
final class Database implements AutoCloseable {
    private final Cluster cluster;
    private final String name;

    Database(Cluster cluster, String name) {
        this.cluster = cluster;
        this.name = name;
    }

    Cluster cluster() {
        return cluster;
    }

    String url() {
        return cluster.url(name);
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    /** The pool that those use who bring none. */
    HikariDataSource pool(int connections) {
        var config = new HikariConfig();
        config.setJdbcUrl(url());
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(connections);
        return new HikariDataSource(config);
    }

    /** Runs statements that are divided by semicolons. */
    void run(String sql) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(String query) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() throws SQLException {
        try (var connection = cluster.connect();
                var statement = connection.createStatement()) {
            statement.execute("drop database " + name + " with (force)");
        }
    }
}
