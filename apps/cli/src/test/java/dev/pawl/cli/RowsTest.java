package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.decision.Audit;
import dev.pawl.event.Events;
import dev.pawl.key.Key;
import dev.pawl.ledger.RowRef;
import dev.pawl.ledger.RowWord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in the ledger, as a person looks at it. */
class RowsTest {
    @TempDir
    private Path folder;

    private Typing pawl(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add("--store=" + folder.resolve("pawl.db"));
        return Typing.of(all.toArray(String[]::new));
    }

    @Test
    void collections_rows_and_what_is_known_of_one_are_shown_page_by_page() {
        try (var pawl =
                Pawl.openOrCreate(folder.resolve("pawl.db"), PawlOptions.usual().log(Events.NOWHERE))) {
            assertThat(pawl("rows").out()).contains("there are no rows");
            var ledger = pawl.ledger("reviews");
            ledger.enrol(Map.of(Key.of("a"), "x"), false);
            ledger.enrol(Map.of(Key.of("b"), "y\u202e"), false);
            ledger.say(List.of(new RowRef("b", 1)), new RowWord.Drop(), new Audit("anna", "spam"));
        }
        assertThat(pawl("rows").out())
                .isEqualTo("reviews: pending 1, permanent 1 (, dealt with)\n".replace("(, ", "("));
        var page = pawl("rows", "reviews", "-n", "1", "--values").out();
        assertThat(page).contains("a pending, 0 attempts", "sent: \"x\"", "there are more: --after ");
        var cursor = page.substring(page.indexOf("--after ") + 8).strip();
        assertThat(pawl("rows", "reviews", "--after", cursor).out()).startsWith("b permanent, dealt with");
        assertThat(pawl("rows", "reviews", "--state", "permanent").out()).doesNotContain("a pending");
        assertThat(pawl("rows", "reviews", "b").out()).contains(" said \"drop\", ", ": spam");
        assertThat(pawl("rows", "reviews", "b", "--json").out()).contains("\"said\":[{", "\"word\":\"drop\"");
        assertThat(pawl("rows", "reviews", "--values").out()).doesNotContain("\u202e");
        for (var wrong : List.of(
                List.of("rows", "nowhere", "there is no collection nowhere"),
                List.of("rows", "reviews", "c", "there is no row c in collection reviews"),
                List.of("rows", "reviews", "--state", "lost", "\"lost\" is none of pending"),
                List.of("rows", "reviews", "-n", "0", "a page has 1 to 1,000 rows"))) {
            var typed = pawl(wrong.subList(0, wrong.size() - 1).toArray(String[]::new));
            assertThat(typed.code()).as(wrong.toString()).isEqualTo(2);
            assertThat(typed.err()).contains(wrong.getLast());
        }
    }
}
