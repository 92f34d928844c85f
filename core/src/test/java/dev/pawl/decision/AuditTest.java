package dev.pawl.decision;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Where something was done by hand is written down once, beside the name that was claimed. */
class AuditTest {
    private static final Audit ANNA = new Audit("anna", "the provider is back");

    @Test
    void where_it_was_done_stands_as_it_was_written_down_first() {
        var there = ANNA.at(new Origin("deploy", "build-7"));
        assertThat(there.at(new Origin("root", "elsewhere"))).isEqualTo(there);
        assertThat(there.text()).isEqualTo("anna, as deploy on build-7: the provider is back");
        assertThat(ANNA.at(new Origin("anna", "laptop")).by()).isEqualTo("anna on laptop");
        assertThat(ANNA.by()).isEqualTo("anna");
    }
}
