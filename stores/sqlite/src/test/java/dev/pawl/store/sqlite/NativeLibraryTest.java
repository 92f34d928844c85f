package dev.pawl.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.util.LibraryLoaderUtil;

/** SQLite's own library lies in one place, once. */
class NativeLibraryTest {
    @TempDir
    private Path folder;

    @Test
    void the_place_is_in_the_cache_that_the_user_wants() throws IOException {
        var wanted = Map.of("XDG_CACHE_HOME", folder.toString(), "HOME", "/elsewhere");
        assertThat(NativeLibrary.folder(wanted)).startsWithRaw(folder);
        assertThat(NativeLibrary.folder(Map.of("XDG_CACHE_HOME", " ", "HOME", folder.toString())))
                .startsWithRaw(folder.resolve(".cache").resolve("pawl"));
        assertThat(NativeLibrary.folder(Map.of()))
                .startsWithRaw(Path.of(System.getProperty("user.home"), ".cache", "pawl"));
    }

    @Test
    void nothing_is_put_where_somebody_only_happens_to_work() {
        for (var nowhere : List.of(Map.of("HOME", "?"), Map.of("HOME", ""), Map.of("XDG_CACHE_HOME", "cache"))) {
            assertThatIOException().isThrownBy(() -> NativeLibrary.folder(nowhere));
        }
    }

    @Test
    void the_library_is_unpacked_once() throws IOException {
        NativeLibrary.unpack(LibraryLoaderUtil::getNativeLibResourcePath, folder);
        var library = folder.resolve(LibraryLoaderUtil.getNativeLibName());
        var unpacked = Files.getLastModifiedTime(library);
        NativeLibrary.unpack(LibraryLoaderUtil::getNativeLibResourcePath, folder);
        assertThat(Files.getLastModifiedTime(library)).isEqualTo(unpacked);
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(library);
        }
    }

    @Test
    void a_machine_that_the_driver_has_no_library_for_is_named() {
        assertThatIOException()
                .isThrownBy(() -> NativeLibrary.unpack(() -> "/no/such/machine", folder))
                .withMessageContaining("/no/such/machine");
    }
}
