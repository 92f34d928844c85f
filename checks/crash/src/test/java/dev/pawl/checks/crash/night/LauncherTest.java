package dev.pawl.checks.crash.night;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./pawl} in a tree that was copied: it starts anywhere, with whatever environment, and builds only what has changed. */
class LauncherTest {
    private static final Path ROOT = Path.of(System.getProperty("pawl.root"));

    /** Whoever builds is seen, and gets nowhere. */
    private static final String NO_MAVEN = "#!/bin/sh\necho \"Maven was started\"; exit 1\n";

    private static final String CACHE = "pawl-cli.aot";

    @TempDir
    private Path folder;

    private Path copy = ROOT;

    /** As {@code cp -r} does it: every file is as old as its copy, in whatever order they are copied. */
    @BeforeEach
    void copy() throws Exception {
        run(Map.of(), ROOT.resolve("pawl").toString(), "--version");
        copy = Files.createDirectories(folder.resolve("a tree"));
        for (var module : Files.readAllLines(ROOT.resolve("pom.xml"))) {
            if (module.strip().startsWith("<module>")) {
                var room = module.strip().replaceAll("</?module>", "");
                if (!room.startsWith("checks/") && !room.startsWith("testkit/")) {
                    tree(room + "/src/main");
                    file(room + "/pom.xml");
                }
            }
        }
        for (var name : List.of("lib", "pawl-cli.jar", "pawl-cli.built")) {
            tree("apps/cli/target/" + name);
        }
        file("pom.xml");
        file("pawl");
        // It has learned what it could, and does not learn again before each test.
        var jar = copy.resolve("apps/cli/target/pawl-cli.jar");
        for (var name : List.of(CACHE, CACHE + ".for")) {
            Files.setLastModifiedTime(
                    Files.createFile(copy.resolve("apps/cli/target/" + name)), Files.getLastModifiedTime(jar));
        }
        Files.writeString(copy.resolve("mvnw"), NO_MAVEN);
        assertThat(copy.resolve("mvnw").toFile().setExecutable(true)).isTrue();
    }

    private void tree(String name) throws IOException {
        if (!Files.exists(ROOT.resolve(name))) {
            return;
        }
        try (var files = Files.walk(ROOT.resolve(name))) {
            for (var one : files.filter(Files::isRegularFile).toList()) {
                file(ROOT.relativize(one).toString());
            }
        }
    }

    private void file(String name) throws IOException {
        Files.createDirectories(copy.resolve(name).getParent());
        Files.copy(ROOT.resolve(name), copy.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        if (Files.isExecutable(ROOT.resolve(name))) {
            assertThat(copy.resolve(name).toFile().setExecutable(true)).isTrue();
        }
    }

    private record Said(int code, String all) {}

    private Said run(Map<String, String> environment, String... words) throws Exception {
        var builder = new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        var process = builder.start();
        process.getOutputStream().close();
        var all = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), all);
    }

    private Said pawl(Map<String, String> environment, String... words) throws Exception {
        var command = new ArrayList<>(List.of(copy.resolve("pawl").toString()));
        command.addAll(List.of(words));
        return run(environment, command.toArray(String[]::new));
    }

    /** So that it is later than whatever was copied a moment ago. */
    private void touch(String name) throws IOException {
        var later = FileTime.from(
                Files.getLastModifiedTime(copy.resolve("pawl")).toInstant().plus(Duration.ofMinutes(1)));
        Files.setLastModifiedTime(copy.resolve(name), later);
    }

    @Test
    void without_a_home_nothing_is_made_in_the_working_directory_and_that_is_said() throws Exception {
        var said = pawl(Map.of("HOME", "?"), "batch", "run", "rows.jsonl", "--name=n", "--key=id", "--", "true");
        assertThat(said.code()).as(said.all()).isEqualTo(2);
        assertThat(said.all()).contains("nobody can tell where your home folder is; name a store with --store FILE");
        assertThat(folder.resolve("?")).doesNotExist();
    }

    @Test
    void a_copied_tree_starts_with_an_empty_environment_and_keeps_its_store_where_home_is() throws Exception {
        Files.delete(copy.resolve("apps/cli/target/" + CACHE));
        assertThat(pawl(Map.of(), "--version").all()).startsWith("pawl ").doesNotContain("Maven", "building");
        assertThat(copy.resolve("apps/cli/target/" + CACHE)).exists();
        var home = folder.resolve("home");
        var rows = folder.resolve("rows.jsonl");
        Files.writeString(rows, "{\"id\":1}\n");
        var said = pawl(
                Map.of("HOME", home.toString()), "batch", "run", rows.toString(), "--name=n", "--key=id", "--", "true");
        assertThat(said.code()).as(said.all()).isZero();
        assertThat(said.all()).contains("done=1");
        assertThat(home.resolve(".local/share/pawl/pawl.db")).exists();
        var asks = pawl(
                Map.of("HOME", home.toString()),
                "batch",
                "run",
                rows.toString(),
                "--name=m",
                "--key=id",
                "--",
                "false");
        assertThat(asks.all())
                .contains("paused=1", "pawl jobs --state paused --workflow m")
                .doesNotContain("--store");
        var data = folder.resolve("data");
        assertThat(pawl(Map.of("HOME", home.toString(), "XDG_DATA_HOME", data.toString()), "status")
                        .all())
                .contains(data.resolve("pawl/pawl.db").toString());
    }

    @Test
    void what_was_only_touched_is_not_built_again_and_what_was_changed_is() throws Exception {
        touch("pom.xml");
        assertThat(pawl(Map.of(), "--version").all()).startsWith("pawl ").doesNotContain("Maven", "building");
        var source = "core/src/main/java/dev/pawl/key/Key.java";
        Files.writeString(copy.resolve(source), Files.readString(copy.resolve(source)) + "// changed\n");
        touch(source);
        var said = pawl(Map.of(), "--version");
        assertThat(said.all()).contains("building itself", "Maven was started", "could not build itself");
        assertThat(said.code())
                .as("that Pawl is not there is no failure of its work")
                .isEqualTo(125);
    }

    @Test
    void a_copied_checkout_runs_commands_with_its_own_minder_and_says_when_it_cannot() throws Exception {
        // With what the JVM remembers of where its classes lay; it believes that of a jar as old as the one it learned
        // from.
        var built = "apps/cli/target/pawl-cli.";
        tree(built + "aot");
        tree(built + "aot.for");
        var old = Files.getLastModifiedTime(ROOT.resolve(built + "jar"));
        for (var name : List.of("jar", "aot.for")) {
            Files.setLastModifiedTime(copy.resolve(built + name), old);
        }
        var command = folder.resolve("command.sh");
        Files.writeString(command, "#!/bin/sh\ntr '\\0' ' ' < /proc/$PPID/cmdline > minder\n");
        assertThat(command.toFile().setExecutable(true)).isTrue();
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
        var home = Map.of("HOME", folder.resolve("home").toString());
        String[] words = {"batch", "run", "rows.jsonl", "--name", "here", "--key", "id", "-q", "--", command.toString()
        };
        var said = pawl(home, words);
        assertThat(said.code()).as(said.all()).isZero();
        var lib = copy.resolve("apps/cli/target/lib");
        assertThat(folder.resolve("minder")).content().contains(lib + "/pawl-command");
        try (var jars = Files.newDirectoryStream(lib, "pawl-command-*.jar")) {
            for (var jar : jars) {
                Files.move(jar, folder.resolve("away.jar"));
            }
        }
        assertThat(pawl(home, "doctor").all()).contains("its minder cannot be started");
        words[4] = "there";
        words[7] = "--attempts=1";
        assertThat(pawl(home, words).all()).contains("paused=0", "could not be given to a minder");
    }
}
