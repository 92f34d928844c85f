package dev.pawl.checks.crash.night;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is typed in the README and in the guide is typed here, and prints what stands there. With {@code -Dpawl.docs.write=true} it is written there instead. */
class DocsTest {
    private static final Path ROOT = Path.of(System.getProperty("pawl.root"));

    @TempDir
    private Path folder;

    static Stream<String> pages() throws IOException {
        var pages = new ArrayList<String>();
        try (var guide = Files.list(ROOT.resolve("docs/guide"))) {
            guide.map(page -> ROOT.relativize(page).toString()).sorted().forEach(pages::add);
        }
        pages.add("README.md");
        return pages.stream().filter(page -> Page.read(ROOT.resolve(page)).hasSession());
    }

    /** Nobody reads that it builds itself. */
    @BeforeAll
    static void build() throws Exception {
        var process = new ProcessBuilder(ROOT.resolve("pawl").toString(), "--version")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor()).isZero();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void what_a_page_shows_of_a_terminal_is_what_is_printed(String name) throws Exception {
        var path = ROOT.resolve(name);
        var page = Page.read(path);
        var seen = new ArrayList<Page.Typed>();
        try (var databases = new Databases()) {
            var typist = new Typist(ROOT, folder, databases);
            for (var session : page.sessions()) {
                typist.sitDown(session.folder());
                for (var typed : session.typed()) {
                    seen.add(typed.showing(typist.type(typed.line())));
                }
                typist.getUp();
            }
        }
        if (Boolean.getBoolean("pawl.docs.write")) {
            Files.writeString(path, page.showing(seen));
        }
        assertThat(blurred(seen)).isEqualTo(blurred(Page.read(path).typed()));
    }

    private static List<String> blurred(List<Page.Typed> typed) {
        return typed.stream()
                .map(one -> "$ " + one.line() + "\n" + Blur.of(one.prints()))
                .toList();
    }

    @Test
    void whatever_begins_with_pawl_in_a_fence_is_typed_in_a_session() throws IOException {
        var left = new ArrayList<String>();
        var all = new ArrayList<Path>(List.of(ROOT.resolve("README.md")));
        try (var guide = Files.list(ROOT.resolve("docs/guide"))) {
            guide.forEach(all::add);
        }
        for (var path : all) {
            Page.read(path).fenced().stream()
                    .filter(line -> line.startsWith("pawl ") || line.startsWith("./pawl "))
                    .forEach(line -> left.add(path.getFileName() + ": " + line));
        }
        assertThat(left).isEmpty();
    }
}
