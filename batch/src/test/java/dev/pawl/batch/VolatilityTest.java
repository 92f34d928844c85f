package dev.pawl.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Keys that will be others tomorrow are noticed, and those that will not are left alone. */
class VolatilityTest {

    @Test
    void what_is_random_or_a_time_looks_like_it() {
        assertThat(Volatility.kind("550e8400-e29b-41d4-a716-446655440000")).isEqualTo("a UUID");
        assertThat(Volatility.kind("550e8400e29b41d4a716446655440000")).isEqualTo("a UUID");
        assertThat(Volatility.kind("01ARZ3NDEKTSV4RRFFQ69G5FAV")).isEqualTo("a ULID");
        assertThat(Volatility.kind("1775995200")).contains("seconds");
        assertThat(Volatility.kind("1775995200123")).contains("seconds");
        assertThat(Volatility.kind("1775995200.25")).contains("seconds");
        assertThat(Volatility.kind("2026-04-12T02:00:00Z")).isEqualTo("a time stamp");
        assertThat(Volatility.kind("2026-04-12 02:00:00.123+02:00")).isEqualTo("a time stamp");
        assertThat(Volatility.kind("20260412T0200")).isEqualTo("a time stamp");
        assertThat(Volatility.kind("Xk29vQz81LmT0pRw")).isEqualTo("random");
        assertThat(Volatility.kind("9f86d081884c7d659a2feaa0c55ad015")).isEqualTo("a UUID");
        assertThat(Volatility.kind("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b")).isEqualTo("random");
    }

    @Test
    void what_people_call_things_does_not() {
        for (var name : List.of(
                "retry-and-recovery-patterns-for-agents",
                "2026-04-12",
                "invoice-2026-0412",
                "42",
                "1000000",
                "anna@example.org",
                "chapter-12-section-3",
                "DE-89370400",
                "https://example.org/a/page-2",
                "a-very-long-slug-that-has-no-digits-at-all",
                "0000000000000000000000000")) {
            assertThat(Volatility.kind(name)).as(name).isNull();
        }
    }

    @Test
    void a_field_is_suspicious_when_nearly_all_of_many_rows_are() {
        var random = new Random(1);
        var volatility = new Volatility(List.of("id", "slug"));
        for (var i = 0; i < 19; i++) {
            volatility.add(List.of(new UUID(random.nextLong(), random.nextLong()).toString(), "slug-" + i));
        }
        assertThat(volatility.troubles()).as("nineteen rows are few").isEmpty();
        volatility.add(List.of("plain", "slug"));
        assertThat(volatility.troubles()).hasSize(1).first().asString().contains("\"id\"", "a UUID", "19 of 20");
        volatility.add(List.of("plain", "slug"));
        volatility.add(List.of("plain", "slug"));
        assertThat(volatility.troubles()).as("19 of 22 are not nearly all").isEmpty();
    }

    @Test
    void a_name_may_hold_a_date_and_no_time() {
        assertThat(Volatility.kindWithin("nightly-articles")).isNull();
        assertThat(Volatility.kindWithin("articles-2026-04-12")).isNull();
        assertThat(Volatility.kindWithin("articles-1775995200")).isNotNull();
        assertThat(Volatility.kindWithin("articles-2026-04-12T0200")).isEqualTo("a time stamp");
        assertThat(Volatility.kindWithin("run-550e8400-e29b-41d4-a716-446655440000"))
                .isEqualTo("a UUID");
        assertThat(Volatility.kindWithin("550e8400-e29b-41d4-a716-446655440000"))
                .isEqualTo("a UUID");
    }
}
