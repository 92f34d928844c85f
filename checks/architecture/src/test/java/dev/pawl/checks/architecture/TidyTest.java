package dev.pawl.checks.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What nobody writes here, and what to write instead. */
class TidyTest {

    /**
     * Something banned.
     *
     * @param pattern what it looks like
     * @param instead what to use
     * @param homes the files that may
     */
    private record Ban(String pattern, String instead, List<String> homes) {}

    private static final String SYSTEM_TIME = "core/src/main/java/dev/pawl/time/SystemTime.java";
    private static final String THIS = "checks/architecture/src/test/java/dev/pawl/checks/architecture/TidyTest.java";

    private static final List<Ban> BANS = List.of(
            new Ban("Instant\\.now\\(", "Time.now()", List.of(SYSTEM_TIME)),
            new Ban("System\\.currentTimeMillis\\(", "Time.now()", List.of()),
            new Ban("System\\.nanoTime\\(", "Time.nanos()", List.of(SYSTEM_TIME)),
            new Ban("Thread\\.sleep\\(", "Signal.await or Time.await", List.of()),
            new Ban("\\.parkNanos\\(", "Time.await", List.of(SYSTEM_TIME)),
            new Ban(
                    "catch \\(Throwable",
                    "UserCode.call, the one place where user code is caught",
                    List.of("engines/local/src/main/java/dev/pawl/engine/local/UserCode.java")),
            new Ban("printStackTrace\\(", "an event or an exception with its cause", List.of()),
            new Ban(
                    "@Disabled|assumeTrue|assumeThat|@EnabledIf|@DisabledOn|@DisabledIf",
                    "a test that runs, or none",
                    List.of()),
            new Ban("\\bTODO\\b|\\bFIXME\\b", "do it, or leave it out", List.of()),
            new Ban(
                    "class \\w*(Manager|Helper|Util|Utils|Impl|Base|Info|Data)\\b",
                    "a name that says the promise",
                    List.of()));

    @Test
    void nobody_writes_what_is_banned() {
        var found = new ArrayList<String>();
        var files = Sources.ending(".java");
        assertThat(files).as("tidy looked at enough files").hasSizeGreaterThan(120);
        for (var file : files) {
            var name = Sources.name(file);
            if (!name.equals(THIS)) {
                found.addAll(violations(name, Sources.read(file)));
            }
        }
        assertThat(found).as("tidy").isEmpty();
    }

    private static List<String> violations(String name, String text) {
        var found = new ArrayList<String>();
        for (var ban : BANS) {
            var matcher = Pattern.compile(ban.pattern()).matcher(text);
            if (!ban.homes().contains(name) && matcher.find()) {
                var line = text.substring(0, matcher.start()).lines().count();
                found.add("tidy: " + name + ":" + line + " has " + matcher.group() + "; use " + ban.instead());
            }
        }
        return found;
    }

    @Test
    void the_project_speaks_of_itself_alone() {
        var odd = Pattern.compile("/(work|root|farm)/|/tmp/bash|repo\\.maven|repo1\\.|registry\\.npm|deb\\.debian");
        var found = new ArrayList<String>();
        for (var file :
                Sources.ending(".java", ".md", ".xml", ".sql", ".yaml", ".sh", "pawl", "verify", "bench", "run")) {
            var matcher = odd.matcher(Sources.read(file));
            if (!Sources.name(file).equals(THIS) && matcher.find()) {
                found.add("tidy: " + Sources.name(file) + " has " + matcher.group());
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void no_test_was_skipped() {
        var reports = new ArrayList<Path>();
        var skipped = new ArrayList<String>();
        for (var pom : Sources.ending("pom.xml")) {
            var folder = pom.resolveSibling("target").resolve("surefire-reports");
            if (Files.isDirectory(folder)) {
                try (var files = Files.list(folder)) {
                    files.filter(file -> file.toString().endsWith(".xml")).forEach(reports::add);
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }
        }
        for (var report : reports) {
            if (Sources.read(report).contains("<skipped")) {
                skipped.add("skipped test: " + report.getFileName());
            }
        }
        assertThat(skipped).isEmpty();
    }

    @Test
    void every_test_that_the_guarantees_and_the_proof_name_is_there() {
        var sources = Sources.ending(".java").stream().map(Sources::read).toList();
        var page = Sources.read(Sources.ROOT.resolve("docs/guarantees.md"))
                + Sources.read(Sources.ROOT.resolve("docs/proof.md"));
        var named = Pattern.compile("`([A-Z]\\w*(?:Test|Conformance))?\\.?([a-z]\\w*_\\w+)?`")
                .matcher(page);
        var looked = 0;
        while (named.find()) {
            for (var group = 1; group <= 2; group++) {
                var name = named.group(group);
                if (name != null) {
                    looked++;
                    var what = group == 1 ? "class " + name : "void " + name + "(";
                    assertThat(sources.stream().anyMatch(source -> source.contains(what)))
                            .as("the docs name " + name + ", and it is there")
                            .isTrue();
                }
            }
        }
        assertThat(looked).isGreaterThan(15);
    }

    @Test
    void every_link_in_the_docs_leads_somewhere() {
        var link = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");
        var broken = new ArrayList<String>();
        var looked = 0;
        for (var page : Sources.ending(".md")) {
            var matcher = link.matcher(Sources.read(page));
            while (matcher.find()) {
                looked++;
                if (!Files.exists(page.resolveSibling(matcher.group(1)))) {
                    broken.add(Sources.name(page) + " links to " + matcher.group(1));
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(looked).as("links looked at").isGreaterThan(6);
    }
}
