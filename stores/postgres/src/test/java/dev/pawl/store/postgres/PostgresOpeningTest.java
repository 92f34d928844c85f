package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.export.StoreKind;
import dev.pawl.export.StoreLine;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.OpenMode;
import dev.pawl.store.OutgoingStore;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.store.jdbc.Statements;
import dev.pawl.store.jdbc.UsersTable;
import dev.pawl.store.jdbc.UsersTable.ColumnKind;
import dev.pawl.store.jdbc.UsersTable.UsersColumn;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.testkit.postgres.BlackHole;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.testkit.postgres.PostgresServer.Querying;
import dev.pawl.time.Time;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** What a database must be so that a store can be in it, and the sentence for each that is not. */
class PostgresOpeningTest {

    private static final PostgresServer SERVER = PostgresServer.start();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static void run(String... statements) {
        try (var connection = DriverManager.getConnection(SERVER.url());
                var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static StoreFailure refusal(String address) {
        try (var store = PostgresStore.open(address)) {
            throw new AssertionError("opened " + store.describe());
        } catch (StoreFailure failure) {
            return failure;
        }
    }

    @Test
    void several_that_make_a_store_at_once_make_one() throws Exception {
        for (var round = 0; round < 3; round++) {
            var address = SERVER.url() + "&pawlSchema=at_once_" + round;
            var opening = new ArrayList<CompletableFuture<String>>();
            for (var i = 0; i < 4; i++) {
                opening.add(TestDatabase.meanwhile(() -> {
                    try (var store = PostgresStore.open(address)) {
                        return store.identity().orElseThrow();
                    }
                }));
            }
            var stores = new HashSet<String>();
            for (var one : opening) {
                stores.add(one.get());
            }
            assertThat(stores).hasSize(1);
        }
    }

    @Test
    void a_store_is_made_once_and_found_again() {
        try (var first = PostgresStore.open(SERVER.url() + "&pawlSchema=again")) {
            assertThat(new StoreDriver(first).submit("a", "1").done()).isTrue();
        }
        try (var second = PostgresStore.open(SERVER.url() + "&pawlSchema=again")) {
            assertThat(second.find(StoreDriver.identity("a"))).isPresent();
        }
    }

    @Test
    void servers_that_lose_what_they_acknowledge_are_refused() {
        for (var setting : List.of("fsync", "full_page_writes")) {
            run("alter system set " + setting + " = off");
            SERVER.reload();
            assertThat(refusal(SERVER.url()).move()).isEqualTo(Move.OPERATOR);
            assertThat(refusal(SERVER.url()))
                    .hasMessageContaining(setting + " = off")
                    .hasMessageContaining("switch it on");
            run("alter system reset " + setting);
            SERVER.reload();
        }
    }

    @Test
    void a_server_that_only_speaks_the_language_is_refused_by_name() throws SQLException {
        for (var other : Map.of(
                        "CockroachDB CCL v24.1.2 (x86_64-pc-linux-gnu, built 2024)", "is CockroachDB, which",
                        "PostgreSQL 11.2-YB-2.21.0.0-b0 on x86_64-pc-linux-gnu", "is YugabyteDB, which",
                        "PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC, Redshift 1.0",
                                "is Amazon Redshift, which",
                        "SomethingElse 1.0", "is SomethingElse 1.0, which")
                .entrySet()) {
            // A real server, which says of itself what another one would.
            run("drop database if exists wire");
            run("create database wire");
            try (var connection = DriverManager.getConnection(SERVER.url("wire"));
                    var statement = connection.createStatement()) {
                statement.execute("create schema fake");
                statement.execute("create function fake.version() returns text language sql as $$ select '"
                        + other.getKey() + "'::text $$");
                statement.execute("alter database wire set search_path = fake, pg_catalog");
            }
            var refused = refusal(SERVER.url("wire"));
            assertThat(refused.move()).isEqualTo(Move.OPERATOR);
            assertThat(refused).hasMessageContaining(other.getValue()).hasMessageContaining("name a PostgreSQL server");
        }
        assertThat(ServerName.otherThanPostgres("PostgreSQL 18.1 on x86_64-pc-linux-gnu, compiled by gcc"))
                .isNull();
    }

    @Test
    void a_database_that_is_not_utf_8_is_refused() {
        for (var encoding : List.of("LATIN1", "SQL_ASCII")) {
            var name = encoding.toLowerCase(Locale.ROOT);
            run("create database " + name + " encoding '" + encoding + "' template template0 locale 'C'");
            var refused = refusal(SERVER.url(name));
            assertThat(refused.move()).isEqualTo(Move.OPERATOR);
            assertThat(refused)
                    .hasMessageContaining("keeps texts as " + encoding)
                    .hasMessageContaining("--encoding UTF8");
        }
    }

    @Test
    void a_replica_is_refused_until_it_is_promoted() throws SQLException {
        try (var connection = DriverManager.getConnection(SERVER.url());
                var replica = SERVER.replica(Querying.on(connection))) {
            var refused = refusal(replica.url());
            assertThat(refused.move()).isEqualTo(Move.OPERATOR);
            assertThat(refused).hasMessageContaining("is a replica").hasMessageContaining("name the primary");
            try (var promoting = DriverManager.getConnection(replica.url())) {
                PostgresServer.promote(Querying.on(promoting));
            }
            try (var store = PostgresStore.open(replica.url() + "&pawlSchema=promoted")) {
                assertThat(new StoreDriver(store).submit("a", "1").done()).isTrue();
            }
        }
    }

    @Test
    void it_works_over_tls_with_a_certificate_that_is_checked() {
        try (var server = PostgresServer.start()) {
            server.crash();
            var certificate = server.speakTls();
            server.startAgain();
            var address = server.url() + "&sslmode=verify-full&sslrootcert=" + certificate;
            try (var store = PostgresStore.open(address)) {
                assertThat(new StoreDriver(store).submit("a", "1").done()).isTrue();
                assertThat(store.describe()).contains("sslmode=verify-full").doesNotContain("sslrootcert");
            }
            try (var elsewhere = PostgresServer.start()) {
                var refused = refusal(elsewhere.url() + "&sslmode=require");
                assertThat(refused).hasMessageContaining("SSL");
            }
        }
    }

    @Test
    void what_a_newer_pawl_wrote_is_refused() {
        PostgresStore.open(SERVER.url() + "&pawlSchema=newer").close();
        run("update newer.meta set value = '99' where name = 'schema'");
        assertThat(refusal(SERVER.url() + "&pawlSchema=newer"))
                .hasMessageContaining("newer Pawl")
                .hasMessageContaining("99");
    }

    @Test
    void a_look_neither_makes_a_store_nor_brings_one_forward() {
        var address = SERVER.url() + "&pawlSchema=earlier";
        assertThatThrownBy(() -> PostgresStore.open(address, OpenMode.TO_LOOK))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("has no store yet");
        assertThat(PostgresStore.schemaOf(address)).isZero();
        PostgresStore.open(address).close();
        try (var looks = PostgresStore.open(address, OpenMode.TO_LOOK)) {
            assertThat(looks.find(StoreDriver.identity("a"))).isEmpty();
            assertThatThrownBy(() -> new StoreDriver(looks).submit("a", "1"))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("was opened to look at it, and takes no change");
            assertThat(looks.find(StoreDriver.identity("a"))).isEmpty();
        }
        assertThat(PostgresStore.schemaOf(address)).isEqualTo(PostgresStore.SCHEMA);
        run("update earlier.meta set value = '0' where name = 'schema'");
        for (var how : List.of(OpenMode.TO_LOOK, OpenMode.AS_IT_IS)) {
            assertThatThrownBy(() -> PostgresStore.open(address, how))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("has schema 0, and this Pawl reads " + PostgresStore.SCHEMA)
                    .hasMessageContaining("pawl schema migrate");
        }
        assertThat(PostgresStore.schemaText()).contains("create table job");
    }

    @Test
    void an_address_that_leads_nowhere_says_whose_move_it_is_and_no_secrets() {
        assertThatThrownBy(() -> PostgresStore.open("jdbc:postgresql:///a/b c?%"))
                .isInstanceOf(IllegalArgumentException.class);
        var nobody = refusal("jdbc:postgresql://127.0.0.1:1/pawl?user=u&password=sesame");
        assertThat(nobody.move()).isEqualTo(Move.ASK_AGAIN);
        assertThat(nobody).hasMessageContaining("does not answer").hasMessageNotContaining("sesame");
        assertThat(refusal(SERVER.url("nothere"))).hasMessageContaining("createdb");
        run("create role locked login password 'right'");
        SERVER.requirePassword("locked");
        var wrong = refusal("jdbc:postgresql://127.0.0.1:" + SERVER.port() + "/postgres?user=locked&password=sesame");
        assertThat(wrong.move()).isEqualTo(Move.OPERATOR);
        assertThat(wrong).hasMessageContaining("password").hasMessageNotContaining("sesame");
    }

    @Test
    void a_role_that_owns_only_the_schema_is_enough_and_one_without_rights_is_told() throws SQLException {
        run(
                "create role worker login",
                "create schema mine authorization worker",
                "create schema others",
                "create table public.other (id int)");
        var address = "jdbc:postgresql://127.0.0.1:" + SERVER.port() + "/postgres?user=worker&pawlSchema=";
        try (var store = PostgresStore.open(address + "mine")) {
            var driver = new StoreDriver(store);
            driver.enlist(1);
            driver.submit("a", "1");
            assertThat(driver.claim(1, 5)).hasSize(1);
        }
        for (var schema : List.of("others", "of_nobody_yet")) {
            var refused = refusal(address + schema);
            assertThat(refused.move()).isEqualTo(Move.OPERATOR);
            assertThat(refused).hasMessageContaining("give it the schema");
        }
    }

    @Test
    void a_table_that_somebody_altered_is_named() {
        var address = SERVER.url() + "&pawlSchema=altered";
        try (var store = PostgresStore.open(address)) {
            run("alter table altered.job rename column fence to fences");
            var driver = new StoreDriver(store);
            assertThatThrownBy(() -> driver.submit("a", "1"))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("altered Pawl's tables");
        }
    }

    @Test
    void what_no_start_of_a_server_will_mend_is_the_addresss_fault() {
        for (var how : List.of("sslmode=bogus", "gssEncMode=bogus", "targetServerType=bogus")) {
            assertThatThrownBy(() -> PostgresStore.open(SERVER.url() + "&" + how))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("mend the address")
                    .hasMessageContaining("bogus");
        }
        var refused = refusal(SERVER.url() + "&sslmode=verify-full");
        assertThat(refused.move()).isEqualTo(Move.OPERATOR);
        assertThat(refused).hasMessageContaining("mend the address");
    }

    @Test
    void packets_that_are_dropped_are_no_fault_of_the_addresss() {
        try (var hole = BlackHole.open()) {
            for (var limit : List.of("loginTimeout=1", "connectTimeout=1")) {
                var away = refusal("jdbc:postgresql://127.0.0.1:" + hole.port() + "/pawl?user=u&" + limit);
                assertThat(away.move()).as(limit).isEqualTo(Move.ASK_AGAIN);
                assertThat(away)
                        .hasMessageContaining("does not answer")
                        .hasMessageContaining("nothing was acknowledged");
            }
        }
    }

    @Test
    void a_host_name_that_is_not_known_now_may_be_known_in_a_moment() {
        // No name server is asked for a name that cannot be one.
        var host = "n".repeat(64);
        var away = refusal("jdbc:postgresql://" + host + "/pawl?user=u");
        assertThat(away.move()).isEqualTo(Move.ASK_AGAIN);
        assertThat(away)
                .hasMessageContaining("the name of its host is not known now")
                .hasMessageContaining("if it is misspelt, mend the address")
                .hasMessageNotContaining("Exception");
    }

    @Test
    void a_connection_of_the_users_data_source_is_given_back_as_it_was_whatever_happened() throws Exception {
        var givenBack = new CopyOnWriteArrayList<String>();
        var pool = new PGSimpleDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                var connection = super.getConnection();
                connection.setNetworkTimeout(Runnable::run, 77_000);
                connection.unwrap(PGConnection.class).setPrepareThreshold(9);
                return (Connection) Proxy.newProxyInstance(
                        Connection.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (proxy, method, values) -> {
                            if (method.getName().equals("close") && !connection.isClosed()) {
                                givenBack.add(connection.getNetworkTimeout() + " "
                                        + connection.unwrap(PGConnection.class).getPrepareThreshold());
                            }
                            return method.invoke(connection, values);
                        });
            }
        };
        pool.setUrl(SERVER.url());
        try (var store = PostgresStore.open(pool, "theirs")) {
            var driver = new StoreDriver(store);
            driver.enlist(1);
            var held = driver.hold("a", 1);
            driver.apply(held.step("s", "1"));
            assertThatThrownBy(() -> store.sql()
                            .orElseThrow()
                            .transact(
                                    held.hold(),
                                    held.id(1),
                                    users -> {
                                        throw new IllegalStateException("no");
                                    },
                                    Duration.ofSeconds(5)))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(givenBack).hasSizeGreaterThan(4).containsOnly("77000 9");
    }

    @Test
    void a_server_that_is_too_old_is_refused() throws SQLException {
        run("create database old");
        try (var connection = DriverManager.getConnection(SERVER.url("old"));
                var statement = connection.createStatement()) {
            // A real server, which says of itself what an older one would.
            statement.execute("create schema fake");
            statement.execute(
                    "create function fake.current_setting(text) returns text language sql as $$"
                            + " select case $1 when 'server_version_num' then '130014' else pg_catalog.current_setting($1) end $$");
            statement.execute("alter database old set search_path = fake, pg_catalog");
        }
        assertThat(refusal(SERVER.url("old"))).hasMessageContaining("is older than PostgreSQL 14");
    }

    @Test
    void a_schema_in_which_somebody_has_made_a_table_of_ours_is_left_as_it_is() {
        run("create schema half", "create table half.meta (name text primary key, value text)");
        assertThatThrownBy(() -> PostgresStore.open(SERVER.url() + "&pawlSchema=half"))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("meta");
        run("insert into half.meta values ('mine', '1')", "drop table half.meta");
        PostgresStore.open(SERVER.url() + "&pawlSchema=half").close();
    }

    @Test
    void who_takes_a_store_as_it_is_makes_one_where_none_is() {
        try (var store = PostgresStore.open(SERVER.url() + "&pawlSchema=as_it_is", OpenMode.AS_IT_IS)) {
            assertThat(new StoreDriver(store).submit("a", "1").done()).isTrue();
        }
    }

    @Test
    void a_schema_is_asked_what_is_in_it() throws SQLException {
        PostgresStore.open(SERVER.url() + "&pawlSchema=asked").close();
        run("update asked.meta set value = '1' where name = 'schema'");
        try (var connection = DriverManager.getConnection(SERVER.url())) {
            assertThatThrownBy(() -> new PostgresSchema("nobodys", "a server").requireKnown(connection))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessage("a server has no store");
            assertThatThrownBy(() -> new PostgresSchema("asked", "a server").prepare(connection, OpenMode.TO_LOOK))
                    .as("where no address is known that can be typed")
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("pawl schema migrate brings it forward");
            assertThat(PostgresSchema.isStore(new Statements(connection, "asked."), "another"))
                    .isFalse();
            assertThat(PostgresSchema.isPooled(connection)).isFalse();
            var elsewhere = (PGConnection) Proxy.newProxyInstance(
                    PGConnection.class.getClassLoader(),
                    new Class<?>[] {PGConnection.class},
                    (proxy, method, values) -> -1);
            var pooled = (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, values) ->
                            method.getName().equals("unwrap") ? elsewhere : method.invoke(connection, values));
            assertThat(PostgresSchema.isPooled(pooled)).isTrue();
        }
    }

    @Test
    void what_a_server_calls_itself_is_told_in_part_where_it_is_long() {
        assertThat(ServerName.otherThanPostgres("x".repeat(100))).isEqualTo("x".repeat(40) + "…");
    }

    @Test
    void a_store_that_somebody_works_with_does_not_move_and_a_place_that_is_held_takes_no_copy() {
        var address = SERVER.url() + "&pawlSchema=worked";
        var to = new OutgoingStore.Destination("elsewhere", Set.of(), Set.of());
        try (var store = PostgresStore.open(address)) {
            new StoreDriver(store).enlist(1);
            assertThatThrownBy(() -> PostgresStore.depart(address, to, token -> {}))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("or did a moment ago: worker-1; stop that first");
        }
        try (var place = PostgresStore.open(SERVER.url() + "&pawlSchema=held")) {
            assertThat(place.hold("a")).isTrue();
            assertThatThrownBy(() -> place.receive(IncomingStore.ofCopy(told -> {}, Instant.EPOCH)))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("another store is on its way");
        }
    }

    @Test
    void a_table_of_a_user_is_written_as_postgresql_has_it() {
        var number = new UsersColumn("Id", ColumnKind.WHOLE, true, "7", 1);
        var text = new UsersColumn("note", ColumnKind.TEXT, true, "'x'", 0);
        var numbered = new UsersTable("Orders", List.of(number, text), List.of());
        assertThat(numbered.definition(PostgresUsersTables.INSTANCE))
                .isEqualTo("create table \"orders\" (\"id\" bigint generated by default as identity primary key,"
                        + " \"note\" text default 'x' not null)");
        assertThat(PostgresUsersTables.INSTANCE.afterRows(numbered)).hasSize(1);
        var named = new UsersTable("t", List.of(new UsersColumn("code", ColumnKind.TEXT, false, null, 1)), List.of());
        assertThat(named.definition(PostgresUsersTables.INSTANCE))
                .isEqualTo("create table \"t\" (\"code\" text, primary key (\"code\"))");
        assertThat(PostgresUsersTables.INSTANCE.afterRows(named)).isEmpty();
    }

    @Test
    void a_pool_that_has_no_second_connection_to_look_at_says_so() {
        for (var trouble :
                List.of(new SQLException("the pool is empty"), new IllegalStateException("the pool is closed"))) {
            var taken = new AtomicInteger();
            var pool = new PGSimpleDataSource() {
                @Override
                public Connection getConnection() throws SQLException {
                    if (taken.getAndIncrement() > 0) {
                        if (trouble instanceof SQLException sql) {
                            throw sql;
                        }
                        throw (IllegalStateException) trouble;
                    }
                    var connection = super.getConnection();
                    connection.setAutoCommit(false);
                    return connection;
                }
            };
            pool.setUrl(SERVER.url());
            assertThatThrownBy(() -> PostgresStore.open(pool, "pooled"))
                    .isInstanceOf(StoreFailure.class)
                    .hasStackTraceContaining(trouble.getMessage());
        }
    }

    @Test
    void who_submits_in_his_own_transaction_needs_no_second_connection_of_his_pool() throws SQLException {
        var taken = new AtomicInteger();
        var pool = new PGSimpleDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                taken.incrementAndGet();
                return super.getConnection();
            }
        };
        pool.setUrl(SERVER.url());
        try (var store = PostgresStore.open(pool, "one_is_enough");
                var theirs = pool.getConnection()) {
            theirs.setAutoCommit(false);
            var before = taken.get();
            var submission = new Change.SubmitJob(StoreDriver.identity("a"), "1", null);
            assertThat(store.submitWithin(theirs, submission)).isInstanceOf(Applied.Now.class);
            assertThat(taken).as("connections taken").hasValue(before);
            assertThat(store.find(submission.identity())).isEmpty();
            theirs.commit();
            assertThat(store.find(submission.identity())).isPresent();
        }
    }

    @Test
    void a_store_that_is_closed_while_somebody_reads_it_keeps_no_connection_open() throws SQLException {
        var taken = new ArrayList<Connection>();
        var source = new PGSimpleDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                taken.add(super.getConnection());
                return taken.getLast();
            }
        };
        source.setUrl(SERVER.url());
        var store = PostgresStore.open(
                source,
                "closing",
                "test server",
                Settings.Ways.find(true),
                Settings.Clock.OF_THE_SERVER,
                Time.system());
        new StoreDriver(store).submit("a", "1");
        var lines = new ArrayList<StoreLine>();
        store.export(line -> {
            lines.add(line);
            store.close();
        });
        assertThat(lines).extracting(StoreLine::kind).contains(StoreKind.JOB);
        assertThat(taken).isNotEmpty();
        for (var connection : taken) {
            assertThat(connection.isClosed()).isTrue();
        }
    }
}
