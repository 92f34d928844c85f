package dev.pawl.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One line each, and no value can break out of it. */
class EventTest {

    private final Event event = Event.of(Instant.parse("2026-04-12T02:00:00Z"), EventKind.ASKS);

    @Test
    void an_event_is_one_logfmt_line() {
        assertThat(event.with(EventField.JOB, "w/a")
                        .with(EventField.WHY, "two words")
                        .line())
                .endsWith(" event=asks job=w/a why=\"two words\"");
    }

    @Test
    void its_time_is_read_on_the_clock_of_this_machine_and_durations_as_people_write_them() {
        var line = Event.of(event.at(), EventKind.WAIT)
                .with(EventField.DELAY, Duration.ofMinutes(62))
                .line();
        assertThat(line)
                .matches("at=\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:00\\.000[+-]\\d\\d:\\d\\d event=wait delay=1h2m");
        var at = line.substring("at=".length(), line.indexOf(' '));
        assertThat(OffsetDateTime.parse(at).toInstant()).isEqualTo(event.at());
        assertThat(OffsetDateTime.parse(at).getOffset())
                .isEqualTo(ZoneId.systemDefault().getRules().getOffset(event.at()));
    }

    @Test
    void hostile_values_are_escaped() {
        var line = event.with(EventField.WHY, "a\nevent=done job=\"x\" \\ \u001b[31m \u202e \u2028")
                .with(EventField.NEXT, "")
                .line();
        assertThat(line.lines()).hasSize(1);
        assertThat(line)
                .contains("why=\"a\\nevent=done job=\\\"x\\\" \\\\ \\u001b[31m \\u202e \\u2028\"")
                .contains("next=\"\"");
    }

    @Test
    void only_what_is_plain_stands_without_quotes() {
        for (var odd : new String[] {
            "a=b",
            "a\"b",
            "a\\b",
            "a\rb",
            "a\tb",
            "a\u2029b",
            "a\u202ab",
            "a\u2066b",
            "a\u2069b",
            "a\u0085b",
            "a\u2065b",
            "a\u206ab",
            "a\u200bb"
        }) {
            assertThat(event.with(EventField.WHY, odd).line())
                    .as(odd)
                    .contains("why=\"")
                    .doesNotContain("\r", "\t", "\u2029");
        }
        for (var plain : new String[] {"a\u2027b", "a\u2030b", "a\u202fb", "ümläut"}) {
            assertThat(event.with(EventField.WHY, plain).line()).endsWith("why=" + plain);
        }
    }

    @Test
    void long_values_are_cut() {
        assertThat(event.with(EventField.WHY, "x".repeat(100_000)).line()).hasSizeLessThan(1_200);
    }

    @Test
    void a_listener_that_cannot_say_what_it_wants_keeps_nothing_from_the_other() {
        var heard = new ArrayList<Event>();
        var broken = new Events() {
            @Override
            public void happened(Event event) {
                throw new IllegalStateException("broken");
            }

            @Override
            public boolean wants(Event.Level level) {
                throw new IllegalStateException("broken");
            }
        };
        for (var both : List.of(broken.and(heard::add), ((Events) heard::add).and(broken))) {
            assertThat(both.wants(Event.Level.QUIET)).isTrue();
            assertThatIllegalStateException()
                    .isThrownBy(() -> both.happened(Event.of(Instant.EPOCH, EventKind.CLAIMED)));
        }
        assertThat(heard).hasSize(2);
    }

    /** Wants nothing, and would be told of everything by whoever does not ask. */
    private static final class Deaf implements Events {
        private int told;

        @Override
        public void happened(Event event) {
            told++;
        }

        @Override
        public boolean wants(Event.Level level) {
            return false;
        }
    }

    @Test
    void of_two_listeners_only_the_one_is_told_that_wants_to_hear() {
        var heard = new ArrayList<Event>();
        var deaf = new Deaf();
        for (var both : List.of(deaf.and(heard::add), ((Events) heard::add).and(deaf))) {
            assertThat(both.wants(Event.Level.QUIET)).isTrue();
            both.happened(event);
        }
        assertThat(heard).containsExactly(event, event);
        assertThat(deaf.told).isZero();
        assertThat(deaf.and(Events.NOWHERE).wants(Event.Level.LOUD)).isFalse();
    }
}
