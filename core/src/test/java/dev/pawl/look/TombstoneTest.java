package dev.pawl.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.key.Encoding;
import org.junit.jupiter.api.Test;

/** Whether a job was submitted with an input, also when only a hash of it is left. */
class TombstoneTest {
    private static final String PLAIN = "{\"id\":\"a\"}";
    private static final String WITH_NULL = "{\"copies\":null,\"id\":\"a\"}";
    private static final String OTHER = "{\"copies\":2,\"id\":\"a\"}";
    private static final String SAYS_NULL = "{\"id\":\"null\"}";

    @Test
    void a_component_that_nobody_has_given_makes_no_other_input() {
        for (var kept : new String[] {PLAIN, WITH_NULL, Tombstone.hash(PLAIN), Tombstone.hash(WITH_NULL)}) {
            assertThat(Tombstone.same(kept, PLAIN)).as(kept).isTrue();
            assertThat(Tombstone.same(kept, WITH_NULL)).as(kept).isTrue();
            assertThat(Tombstone.same(kept, OTHER)).as(kept).isFalse();
            assertThat(Tombstone.same(kept, SAYS_NULL)).as(kept).isFalse();
        }
        assertThat(Tombstone.same(SAYS_NULL, SAYS_NULL)).isTrue();
    }

    @Test
    void hashes_that_an_earlier_version_left_are_compared_as_it_made_them() {
        assertThat(Tombstone.same("sha256:" + Encoding.hash(WITH_NULL), WITH_NULL))
                .isTrue();
        assertThat(Tombstone.same("sha256:" + Encoding.hash(PLAIN), PLAIN)).isTrue();
        assertThat(Tombstone.same("sha256:" + Encoding.hash(PLAIN), WITH_NULL))
                .as("its type has gained a component since")
                .isTrue();
        assertThat(Tombstone.same("sha256:" + Encoding.hash(PLAIN), OTHER)).isFalse();
        assertThat(Tombstone.isHash("sha256:" + Encoding.hash(PLAIN))).isTrue();
    }
}
