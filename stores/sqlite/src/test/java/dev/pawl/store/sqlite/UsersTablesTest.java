package dev.pawl.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.export.StoreKind;
import dev.pawl.export.StoreLine;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.OpenMode;
import dev.pawl.store.OutgoingStore;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.store.jdbc.UsersRows;
import dev.pawl.store.jdbc.UsersTable;
import dev.pawl.store.jdbc.UsersTable.ColumnKind;
import dev.pawl.store.jdbc.UsersTable.UsersColumn;
import dev.pawl.store.jdbc.UsersTable.UsersIndex;
import dev.pawl.time.Time;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What others keep in a store's file moves as it is, or is refused with the reason and the way around it. */
class UsersTablesTest {
    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("pawl.db");
    }

    private Connection store(String... statements) throws SQLException {
        SqliteStore.open(file(), Time.system()).close();
        var connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        run(connection, statements);
        return connection;
    }

    /** Tables without a store beside them, which is enough where only they matter. */
    private static Connection alone(String... statements) throws SQLException {
        var connection = DriverManager.getConnection("jdbc:sqlite::memory:");
        run(connection, statements);
        return connection;
    }

    private static void run(Connection connection, String... statements) throws SQLException {
        try (var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static List<UsersTable> described(Connection connection, String... names) throws SQLException {
        return new UsersTables(connection).described(new TreeSet<>(Set.of(names)));
    }

    private List<UsersTable> toMove(Connection connection, Set<String> moving, Set<String> staying)
            throws SQLException {
        return new UsersTables(connection).toMove(new SqliteFile(file(), Duration.ofSeconds(5)), moving, staying);
    }

    private static final String EVERY_KIND =
            "create table kinds (id bigint primary key, plain, letters varchar(9) default 'it''s', long clob, day date,"
                    + " at timestamp default null, bytes blob, weight real not null default -1.5, half float,"
                    + " double_one double precision, price decimal(9, 2) default 7)";

    @Test
    void a_column_holds_what_its_declared_type_says_and_is_written_as_such_again() throws SQLException {
        try (var connection = alone(EVERY_KIND)) {
            var kinds = described(connection, "kinds").getFirst();
            assertThat(kinds.columns())
                    .containsExactly(
                            new UsersColumn("id", ColumnKind.WHOLE, false, null, 1),
                            new UsersColumn("plain", ColumnKind.TEXT, false, null, 0),
                            new UsersColumn("letters", ColumnKind.TEXT, false, "'it''s'", 0),
                            new UsersColumn("long", ColumnKind.TEXT, false, null, 0),
                            new UsersColumn("day", ColumnKind.TEXT, false, null, 0),
                            new UsersColumn("at", ColumnKind.TEXT, false, null, 0),
                            new UsersColumn("bytes", ColumnKind.BYTES, false, null, 0),
                            new UsersColumn("weight", ColumnKind.FRACTION, true, "-1.5", 0),
                            new UsersColumn("half", ColumnKind.FRACTION, false, null, 0),
                            new UsersColumn("double_one", ColumnKind.FRACTION, false, null, 0),
                            new UsersColumn("price", ColumnKind.NUMBER, false, "7", 0));
            assertThat(kinds.definition(UsersTables.WRITING))
                    .isEqualTo("create table \"kinds\" (\"id\" integer primary key, \"plain\" text,"
                            + " \"letters\" text default 'it''s', \"long\" text, \"day\" text, \"at\" text,"
                            + " \"bytes\" blob, \"weight\" real default -1.5 not null, \"half\" real,"
                            + " \"double_one\" real, \"price\" numeric default 7)");
            try (var other = DriverManager.getConnection("jdbc:sqlite::memory:")) {
                run(other, kinds.definition(UsersTables.WRITING));
                assertThat(described(other, "kinds").getFirst().columns()).isEqualTo(kinds.columns());
            }
        }
    }

    @Test
    void indexes_move_but_for_the_keys_own_which_is_made_with_it() throws SQLException {
        try (var connection = alone(
                "create table t (a text, b text unique, c text, primary key (a, b))",
                "create index by_c on t (c, a)")) {
            var table = described(connection, "t").getFirst();
            assertThat(table.indexes())
                    .containsExactlyInAnyOrder(
                            new UsersIndex(true, List.of("b")), new UsersIndex(false, List.of("c", "a")));
            assertThat(table.definition(UsersTables.WRITING)).endsWith(", primary key (\"a\", \"b\"))");
            assertThat(table.indexing(UsersTables.WRITING))
                    .allSatisfy(
                            index -> assertThat(index).contains("\"moved_t_").contains(" on \"t\" ("));
            assertThat(UsersTables.WRITING.afterRows(table)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            create table t (n int references u (id))                             | it says "references"
            create table t (s text COLLATE nocase)                               | it says "collate"
            create table t (a int, b int as (a + 1))                             | it computes its column b
            create table t (at text default current_timestamp)                   | its column at is current_timestamp unless said
            create table t (a int);; create index i on t (a) where a > 1          | its index i has only some of its rows
            create table t (a text);; create index i on t (lower(a))              | its index i is over something that is computed
            create table t (a text);; create index i on t (a collate nocase)      | its index i says "collate"
            create table t (a text);; create index i on t (a DESC)                | its index i says "desc"
            create table t (a int);; create trigger x after insert on t begin select 1; end | it has the trigger x
            create table t (a int);; insert into t values ('x')                   | its column a holds a value of type text
            create table t (a text);; insert into t values (x'00')                | its column a holds a value of type blob
            create table t (a real);; insert into t values ('x')                  | its column a holds a value of type text
            create table t (a numeric);; insert into t values ('x')               | its column a holds a value of type text
            create table t (a blob);; insert into t values (1)                    | its column a holds a value of type integer
            """)
    void what_the_other_side_would_have_otherwise_is_refused_with_the_reason(String made, String because)
            throws SQLException {
        try (var connection = alone(made.split(";; "))) {
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> described(connection, "t"))
                    .satisfies(refused -> assertThat(refused.move()).isEqualTo(Move.OPERATOR))
                    .withMessageContaining("table t cannot be taken along, because " + because)
                    .withMessageContaining("--leave-tables t. Nothing was moved");
        }
    }

    @Test
    void the_seal_of_an_earlier_try_keeps_no_table_from_moving() throws SQLException {
        try (var connection = alone(
                "create table t (a int)", "create trigger sealed_t_insert before insert on t begin select 1; end")) {
            assertThat(described(connection, "t")).hasSize(1);
        }
    }

    @Test
    void every_table_is_named_as_one_that_moves_or_one_that_stays_and_no_other_is() throws SQLException {
        try (var connection = store()) {
            assertThat(toMove(connection, Set.of(), Set.of())).isEmpty();
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> toMove(connection, Set.of("nowhere"), Set.of()))
                    .withMessage(file().toAbsolutePath() + " has no table nowhere that is not Pawl's");
            run(connection, "create table a (x)", "create table b (x)");
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> toMove(connection, Set.of("a"), Set.of("b", "job")))
                    .withMessageEndingWith("has no table job that is not Pawl's; it has a, b");
            assertThat(toMove(connection, Set.of("a", "b"), Set.of("b")))
                    .as("one that stays does not move")
                    .extracting(UsersTable::name)
                    .containsExactly("a");
        }
    }

    @Test
    void a_key_that_is_no_number_is_no_number_that_the_database_gives() throws SQLException {
        try (var connection = alone("create table t (code text primary key)", "create table keyless (n integer)")) {
            var coded = described(connection, "t").getFirst();
            assertThat(coded.numbersItself()).isFalse();
            assertThat(coded.definition(UsersTables.WRITING))
                    .isEqualTo("create table \"t\" (\"code\" text, primary key (\"code\"))");
            var keyless = described(connection, "keyless").getFirst();
            assertThat(keyless.definition(UsersTables.WRITING)).isEqualTo("create table \"keyless\" (\"n\" integer)");
        }
        assertThat(UsersTable.inPostgres("Orders")).isEqualTo("\"orders\"");
        assertThat(UsersTable.inPostgres("Or ders")).isEqualTo("\"Or ders\"");
    }

    @Test
    void a_row_is_told_so_that_the_same_value_is_the_same_text() throws SQLException {
        var made = "create table t (w integer, f real, n numeric, x text, b blob)";
        try (var empty = alone(made);
                var connection = alone(
                        made,
                        "insert into t values (7, 1.5, 0.0, 'it', x'00ff'), (null, null, null, null, null)",
                        "insert into t values ('seven', 'half', 'much', 1, 'bytes')")) {
            var told = new ArrayList<StoreLine>();
            new UsersRows(connection, described(empty, "t").getFirst(), UsersTables.WRITING).tell(told::add);
            assertThat(told.getFirst().kind()).isEqualTo(StoreKind.TABLE);
            assertThat(told.stream().skip(1).map(line -> line.text("values")))
                    .containsExactly(
                            "[7,1.5,\"0\",\"it\",{\"base64\":\"AP8=\"}]",
                            "[null,null,null,null,null]",
                            "[\"seven\",\"half\",\"much\",\"1\",\"bytes\"]");
        }
    }

    private static Consumer<Consumer<StoreLine>> telling(StoreLine... lines) {
        return told -> List.of(lines).forEach(told);
    }

    private void arrives(StoreLine... lines) {
        try (var store = SqliteStore.open(file(), Time.system(), OpenMode.MOVING_IN)) {
            store.receive(new IncomingStore("t", telling(lines)::accept));
        }
    }

    @Test
    void a_table_that_is_there_already_is_not_replaced_and_a_row_of_another_is_not_taken() throws SQLException {
        var table = StoreLine.of(
                StoreKind.TABLE,
                "theirs",
                "{\"name\":\"theirs\",\"columns\":[{\"name\":\"x\",\"kind\":\"TEXT\",\"required\":false,\"usual\":null,\"inKey\":0}],"
                        + "\"indexes\":[]}");
        var row = StoreLine.of(StoreKind.TABLE_ROW, "theirs", "[\"1\"]");
        for (var wrong : List.of(row.with("table", "others"), row.with("values", "[\"1\",\"2\"]"))) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> arrives(table, wrong))
                    .withMessageContaining("a row is not of table theirs");
        }
        var large = row.with("values", "[\"" + "x".repeat(5 << 20) + "\"]");
        arrives(table, row, large, large, row);
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = connection.createStatement();
                var many = statement.executeQuery("select count(*) from theirs")) {
            assertThat(many.getInt(1)).isEqualTo(4);
        }
        var taken = folder.resolve("taken.db");
        SqliteStore.open(taken, Time.system()).close();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + taken)) {
            run(connection, "create table theirs (y)");
        }
        try (var store = SqliteStore.open(taken, Time.system())) {
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> store.receive(new IncomingStore("t", telling(table)::accept)))
                    .withMessageContaining("there is a table \"theirs\" already where the store is going");
            assertThatExceptionOfType(StoreFailure.class)
                    .as("the place is held for the other one")
                    .isThrownBy(() -> store.receive(IncomingStore.ofCopy(
                            telling()::accept, Time.system().now())))
                    .withMessageContaining("another store is on its way");
        }
    }

    @Test
    void a_file_that_is_not_there_moves_nowhere() {
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> SqliteStore.depart(
                        file(), new OutgoingStore.Destination("elsewhere", Set.of(), Set.of()), token -> {}))
                .withMessage("there is no store " + file());
    }

    @Test
    void what_has_arrived_under_a_token_is_not_taken_again_by_who_held_the_place_before() throws SQLException {
        try (var connection = store()) {
            connection.setAutoCommit(false);
            var arrival = new SqliteArrival(connection, "here");
            assertThat(arrival.hold("t")).isTrue();
            var queue = StoreLine.of(StoreKind.QUEUE, "mail", 3);
            assertThat(arrival.take(new IncomingStore("t", telling(queue)::accept)))
                    .containsKey("queue");
            assertThat(arrival.take(new IncomingStore("t", telling(queue)::accept)))
                    .isEmpty();
            assertThat(arrival.hold("t")).isFalse();
            connection.rollback();
        }
    }
}
