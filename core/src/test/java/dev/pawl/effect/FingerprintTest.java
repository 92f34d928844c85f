package dev.pawl.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which requests are the same: today's, and those that were recorded by earlier ways and with earlier forms of a type. */
class FingerprintTest {

    record Mail(String to) {}

    record MailWithCopy(String to, @Nullable String copy) {}

    record Slot(ZonedDateTime at) {}

    record Renamed(String recipient) implements Reworded {
        @Override
        public Object earlier() {
            return new Mail(recipient);
        }
    }

    private static String asTheFirstWayMadeIt(Object request) {
        return Json.fingerprint(Json.write(request));
    }

    @Test
    void a_component_that_a_type_gains_and_nobody_gives_makes_no_other_request() {
        var today = Fingerprint.of(new MailWithCopy("anna", null));
        assertThat(today.today()).startsWith("2:");
        assertThat(today.is(Fingerprint.of(new Mail("anna")).today())).isTrue();
        assertThat(Fingerprint.of(new Mail("anna")).is(today.today())).isTrue();
        assertThat(today.is(Fingerprint.of(new Mail("berta")).today())).isFalse();
        assertThat(Fingerprint.of(new MailWithCopy("anna", "berta")).is(today.today()))
                .isFalse();
    }

    @Test
    void what_was_recorded_by_the_first_way_is_compared_by_it() {
        var recorded = asTheFirstWayMadeIt(new Mail("anna"));
        assertThat(Fingerprint.of(new Mail("anna")).is(recorded)).isTrue();
        assertThat(Fingerprint.of(new MailWithCopy("anna", null)).is(recorded))
                .as("its type has gained a component since")
                .isTrue();
        assertThat(Fingerprint.of(new MailWithCopy("anna", null))
                        .is(asTheFirstWayMadeIt(new MailWithCopy("anna", null))))
                .as("nulls counted then")
                .isTrue();
        assertThat(Fingerprint.of(new Mail("berta")).is(recorded)).isFalse();
        var at = new Slot(ZonedDateTime.parse("2026-11-16T10:00:00+01:00[Europe/Berlin]"));
        assertThat(Fingerprint.of(at).is(asTheFirstWayMadeIt(at)))
                .as("written without its zone then")
                .isTrue();
    }

    @Test
    void a_reworded_request_is_what_it_was_however_that_was_recorded() {
        var today = Fingerprint.of(new Renamed("anna"));
        assertThat(today.is(asTheFirstWayMadeIt(new Mail("anna")))).isTrue();
        assertThat(today.is(Fingerprint.of(new MailWithCopy("anna", null)).today()))
                .isTrue();
        assertThat(today.is(Fingerprint.of(new Mail("berta")).today())).isFalse();
    }

    @Test
    void what_is_null_in_a_list_counts() {
        var list = new ArrayList<@Nullable String>(List.of("a"));
        list.add(null);
        assertThat(Fingerprint.of(list).is(Fingerprint.of(List.of("a")).today()))
                .isFalse();
    }
}
