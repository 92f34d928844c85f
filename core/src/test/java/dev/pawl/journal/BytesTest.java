package dev.pawl.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Bytes are a value. */
class BytesTest {
    @Test
    void bytes_are_equal_when_they_are_the_same_bytes() {
        var bytes = Bytes.copyOf(new byte[] {1, 2});
        assertThat(bytes)
                .isEqualTo(Bytes.copyOf(new byte[] {1, 2}))
                .hasSameHashCodeAs(Bytes.copyOf(new byte[] {1, 2}))
                .isNotEqualTo(Bytes.copyOf(new byte[] {1, 3}))
                .isNotEqualTo("2 bytes")
                .hasToString("2 bytes");
    }
}
