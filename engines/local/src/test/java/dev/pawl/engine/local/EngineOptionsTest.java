package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a worker works is bounded. */
class EngineOptionsTest {
    private final EngineOptions usual = EngineOptions.usual("w");

    @Test
    void what_cannot_work_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> usual.slots(0)).withMessageContaining("1 to 10,000");
        assertThatIllegalArgumentException().isThrownBy(() -> usual.slots(10_001));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> usual.term(Duration.ofMillis(99)))
                .withMessageContaining("too short");
        assertThatIllegalArgumentException().isThrownBy(() -> usual.principals(List.of(" ")));
        assertThat(usual.principals(List.of("", "anna")).principals()).containsExactly("", "anna");
    }
}
