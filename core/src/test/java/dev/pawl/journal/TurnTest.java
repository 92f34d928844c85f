package dev.pawl.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.json.TypeToken;
import dev.pawl.json.Values;
import dev.pawl.key.Place;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A turn as others keep it: in results, inputs and requests. */
class TurnTest {

    @Test
    void a_turn_of_words_is_written_as_it_was_before_there_was_anything_else() {
        assertThat(Json.write(Turn.of("user", "hello"))).isEqualTo("{\"role\":\"user\",\"content\":\"hello\"}");
        assertThat(Values.read("[{\"role\":\"user\",\"content\":\"hello\"}]", new TypeToken<List<Turn>>() {}))
                .containsExactly(new Turn("user", "hello"));
    }

    @Test
    void a_turn_with_all_that_there_can_be_reads_back() {
        var full = Turn.of("assistant", "x")
                .calling("1", "search", "{}")
                .answering("0")
                .referringTo(new Place("m@a", "s", "7"));
        assertThat(Values.read(Json.write(full), TypeToken.of(Turn.class))).isEqualTo(full);
    }
}
