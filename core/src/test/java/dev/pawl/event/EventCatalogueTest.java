package dev.pawl.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The catalogue of events, and its page. */
class EventCatalogueTest {
    private static final Path PAGE = Path.of("../docs/events.md");

    private static String told(Event.Level level) {
        return switch (level) {
            case QUIET -> "at `-v`";
            case NOTICE -> "always";
            case LOUD -> "loudly";
        };
    }

    private static String events() {
        return "| event | what has happened | fields | told |\n|---|---|---|---|\n"
                + Arrays.stream(EventKind.values())
                        .map(kind -> "| `" + kind.word() + "` | " + kind.meaning() + " | "
                                + kind.fields().stream()
                                        .map(field -> "`" + field.word() + "`")
                                        .collect(Collectors.joining(", "))
                                + " | " + told(kind.level()) + " |\n")
                        .collect(Collectors.joining());
    }

    private static String fields() {
        return "| field | what it says |\n|---|---|\n"
                + Arrays.stream(EventField.values())
                        .map(field -> "| `" + field.word() + "` | " + field.meaning() + " |\n")
                        .collect(Collectors.joining());
    }

    @Test
    void the_page_is_drawn_from_the_catalogue() throws IOException {
        var page = Files.readString(PAGE);
        assertThat(page).as("put this into docs/events.md:\n" + events()).contains(events());
        assertThat(page).as("put this into docs/events.md:\n" + fields()).contains(fields());
    }

    @Test
    void every_field_is_said_by_some_event_and_no_event_says_what_the_catalogue_does_not() {
        for (var field : EventField.values()) {
            assertThat(EventKind.values()).as(field.word()).anyMatch(kind -> kind.says(field));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Event.of(Instant.EPOCH, EventKind.DONE).with(EventField.GATE, "g"))
                .withMessage("an event done has no field gate");
    }
}
