package dev.pawl.checks.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every room by its artifact, and which others it may see. A room that is not named here is one that nobody has thought about. */
class RoomsTest {
    private static final Map<String, Set<String>> MAY_SEE = Map.ofEntries(
            Map.entry("pawl-core", Set.of()),
            Map.entry("pawl-yaml", Set.of()),
            Map.entry("pawl-command", Set.of("pawl-core")),
            Map.entry("pawl-controls", Set.of("pawl-core")),
            Map.entry("pawl-store-document", Set.of("pawl-core")),
            Map.entry("pawl-store-memory", Set.of("pawl-core", "pawl-store-document")),
            Map.entry("pawl-store-jdbc", Set.of("pawl-core")),
            Map.entry("pawl-store-sqlite", Set.of("pawl-core", "pawl-store-jdbc")),
            Map.entry("pawl-store-postgres", Set.of("pawl-core", "pawl-store-jdbc")),
            Map.entry("pawl-engine-local", Set.of("pawl-core")),
            Map.entry(
                    "pawl",
                    Set.of(
                            "pawl-core",
                            "pawl-engine-local",
                            "pawl-store-memory",
                            "pawl-store-sqlite",
                            "pawl-store-postgres")),
            Map.entry("pawl-desk", Set.of("pawl-core", "pawl-command", "pawl")),
            Map.entry("pawl-batch", Set.of("pawl-core", "pawl-command", "pawl")),
            Map.entry("pawl-script", Set.of("pawl-core", "pawl-command", "pawl-yaml")),
            Map.entry("pawl-micrometer", Set.of("pawl-core", "pawl")),
            Map.entry("pawl-opentelemetry", Set.of("pawl-core", "pawl")),
            Map.entry(
                    "pawl-spring-boot-starter",
                    Set.of(
                            "pawl-core",
                            "pawl",
                            "pawl-store-postgres",
                            "pawl-micrometer",
                            "pawl-opentelemetry",
                            "pawl-test")),
            Map.entry("pawl-picocli", Set.of()),
            Map.entry(
                    "pawl-cli",
                    Set.of(
                            "pawl-core",
                            "pawl",
                            "pawl-command",
                            "pawl-controls",
                            "pawl-desk",
                            "pawl-batch",
                            "pawl-script",
                            "pawl-picocli",
                            "pawl-store-sqlite")),
            Map.entry("pawl-testkit-conformance", Set.of("pawl-core")),
            Map.entry("pawl-testkit-postgres", Set.of()),
            Map.entry("pawl-test", Set.of("pawl-core", "pawl-engine-local", "pawl-store-memory", "pawl-store-sqlite")),
            Map.entry("pawl-examples", Set.of("pawl-core", "pawl", "pawl-test")));

    /** Never published, and free to look at everything. */
    private static final Set<String> CHECKS = Set.of(
            "pawl-checks-simulation",
            "pawl-checks-model",
            "pawl-checks-races",
            "pawl-checks-crash",
            "pawl-checks-bench",
            "pawl-checks-architecture");

    private static List<String> all(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** What each room sees when it runs, as the poms have it. */
    private static Map<String, Set<String>> rooms() {
        var rooms = new TreeMap<String, Set<String>>();
        for (var module : all("<module>(.*?)</module>", Sources.read(Sources.ROOT.resolve("pom.xml")))) {
            var pom = Sources.read(Sources.ROOT.resolve(module).resolve("pom.xml"));
            var name = all("</parent>\\s*<artifactId>(.*?)</artifactId>", pom).getFirst();
            rooms.put(
                    name,
                    all("<dependency>(.*?)</dependency>", pom).stream()
                            .filter(one ->
                                    one.contains("<groupId>dev.pawl</groupId>") && !one.contains("<scope>test</scope>"))
                            .map(one ->
                                    all("<artifactId>(.*?)</artifactId>", one).getFirst())
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
        return rooms;
    }

    @Test
    void every_room_is_known_and_sees_only_what_it_may() {
        var rooms = rooms();
        rooms.keySet().removeAll(CHECKS);
        assertThat(rooms.keySet()).as("rooms that are known").isEqualTo(new TreeSet<>(MAY_SEE.keySet()));
        rooms.forEach((room, seen) ->
                assertThat(MAY_SEE.get(room)).as(room + " may see").containsAll(seen));
    }

    @Test
    void siblings_never_see_each_other() {
        var stores = Set.of("pawl-store-memory", "pawl-store-sqlite", "pawl-store-postgres", "pawl-engine-local");
        for (var store : stores) {
            assertThat(MAY_SEE.get(store)).as(store).doesNotContainAnyElementsOf(stores);
        }
    }
}
