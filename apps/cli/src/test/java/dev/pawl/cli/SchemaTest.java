package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A look never changes a store, and what does is said. */
class SchemaTest {
    @TempDir
    private Path folder;

    private Typing pawl(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add(all.contains("--") ? all.indexOf("--") : all.size(), "--store=" + folder.resolve("new/pawl.db"));
        return Typing.of(all.toArray(String[]::new));
    }

    private void anEarlierPawlsStore() throws Exception {
        Files.createDirectory(folder.resolve("new"));
        var schema = pawl("schema", "print").out();
        try (var old = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("new/pawl.db"));
                var statement = old.createStatement()) {
            for (var sql : schema.substring(0, schema.indexOf("-- When each worker last beat"))
                    .split(";\\s*\n")) {
                if (!sql.isBlank()) {
                    statement.execute(sql);
                }
            }
            statement.execute("pragma application_id = 1348564844");
            statement.execute("pragma user_version = 3");
        }
    }

    @Test
    void looking_never_migrates_and_somebody_who_wants_to_does() throws Exception {
        anEarlierPawlsStore();
        var before = Files.readAllBytes(folder.resolve("new/pawl.db"));
        for (var look : new String[] {"status", "jobs", "gates", "workers", "cost"}) {
            var refused = pawl(look);
            assertThat(refused.code()).as(look).isEqualTo(2);
            assertThat(refused.err()).contains("has schema 3, and this Pawl reads 11", "pawl schema migrate --store");
        }
        assertThat(pawl("prune", "--older-than", "1d", "--no-migrate").err()).contains("has schema 3");
        assertThat(pawl("schema").out()).contains("has schema 3; this Pawl writes 11");
        assertThat(Files.readAllBytes(folder.resolve("new/pawl.db"))).isEqualTo(before);
        assertThat(pawl("schema", "migrate").out()).contains("has schema 11; it had 3");
        assertThat(pawl("schema", "--json").out()).contains("\"schema\":11");
        assertThat(pawl("status").code()).isZero();
        assertThat(Typing.of("--version").out()).contains("schema 11 (SQLite), 8 (PostgreSQL)");
    }

    @Test
    void folders_that_are_made_for_a_store_are_its_owners_alone() throws Exception {
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
        var rows = folder.resolve("rows.jsonl").toString();
        assertThat(pawl("batch", "run", rows, "--name=b", "--key=id", "--", "true")
                        .code())
                .isZero();
        for (var made : new String[] {"new", "new/pawl.db-guards", "new/pawl.db-commands"}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(made))))
                    .as(made)
                    .isEqualTo("rwx------");
        }
        assertThat(pawl("schema", "show").out()).contains("has schema 11");
        Rights.require(folder.resolve("new/pawl.db"));
    }

    @Test
    void what_opens_a_store_to_a_group_opens_nothing_else_that_is_in_its_folder() throws Exception {
        var home = Files.createDirectory(folder.resolve("it's home"), StoreOption.OURS_ALONE);
        var store = Files.createFile(home.resolve("pawl.db"));
        var diary = Files.createFile(home.resolve("diary"));
        var guard = Files.createDirectory(home.resolve("pawl.db-guards")).resolve("g");
        for (var file : new Path[] {store, diary, Files.createFile(guard)}) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
        var typed = Rights.opening(store).replace("GROUP", "$(id -g)");
        assertThat(new ProcessBuilder("sh", "-c", typed).inheritIO().start().waitFor())
                .isZero();
        for (var opened : new Path[] {store, guard}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(opened)))
                    .isEqualTo("rw-rw----");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
                .isEqualTo("rwxrwx---");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(diary)))
                .isEqualTo("rw-------");
    }
}
