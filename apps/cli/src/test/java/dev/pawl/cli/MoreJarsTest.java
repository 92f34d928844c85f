package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.StoreAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores whose jars people put beside Pawl's own. */
class MoreJarsTest {
    private static final String SOURCE = """
            package elsewhere;

            import dev.pawl.store.OpenMode;
            import dev.pawl.store.Store;
            import dev.pawl.store.memory.MemoryStore;
            import dev.pawl.time.Time;

            public final class Elsewhere implements dev.pawl.store.StoreProvider {
                @Override
                public boolean isFor(String address) {
                    return address.startsWith("elsewhere://");
                }

                @Override
                public boolean isThere(String address) {
                    return true;
                }

                @Override
                public Store open(String address, Time time, OpenMode opening) {
                    return new MemoryStore(time);
                }
            }
            """;

    @TempDir
    private Path folder;

    /** A jar with a provider that nobody else has heard of. */
    private void putJar(Path more) throws IOException {
        var source = Files.writeString(folder.resolve("Elsewhere.java"), SOURCE);
        var classes = Files.createDirectories(folder.resolve("classes"));
        var compiler = ToolProvider.getSystemJavaCompiler();
        var options = List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            assertThat(compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(source))
                            .call())
                    .isTrue();
        }
        Files.createDirectories(more);
        try (var jar = new JarOutputStream(Files.newOutputStream(more.resolve("elsewhere.jar")))) {
            jar.putNextEntry(new JarEntry("elsewhere/Elsewhere.class"));
            jar.write(Files.readAllBytes(classes.resolve("elsewhere/Elsewhere.class")));
            jar.putNextEntry(new JarEntry("META-INF/services/dev.pawl.store.StoreProvider"));
            jar.write("elsewhere.Elsewhere\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
    }

    @Test
    void an_address_that_only_a_jar_in_that_folder_knows_works_and_without_it_nobody_takes_it_for_a_file()
            throws Exception {
        var more = folder.resolve("more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreAddress.of("elsewhere://7", () -> MoreJars.loader(more)))
                .withMessageContaining("neither a file nor");
        putJar(more);
        var address = StoreAddress.of("elsewhere://7", () -> MoreJars.loader(more));
        assertThat(address.isThere()).isTrue();
        assertThat(address.isFile()).isFalse();
        assertThat(address.shown()).isEqualTo("elsewhere://7");
    }

    @Test
    void the_folder_is_not_looked_at_for_addresses_of_our_own() {
        var address = StoreAddress.of(folder.resolve("pawl.db").toString(), () -> {
            throw new AssertionError("nobody needs more jars for a file");
        });
        assertThat(address.isFile()).isTrue();
    }
}
