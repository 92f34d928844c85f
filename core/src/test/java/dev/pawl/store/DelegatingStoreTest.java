package dev.pawl.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A store that does what another one does does all of it. */
class DelegatingStoreTest {

    @Test
    void everything_that_a_store_is_asked_is_handed_on_also_what_has_a_usual_answer() {
        var handedOn = Arrays.stream(DelegatingStore.class.getDeclaredMethods())
                .map(method -> method.getName() + Arrays.toString(method.getParameterTypes()))
                .toList();
        assertThat(Stream.of(Store.class.getMethods())
                        .filter(method -> !Modifier.isStatic(method.getModifiers()))
                        .map(method -> method.getName() + Arrays.toString(method.getParameterTypes())))
                .hasSizeGreaterThan(20)
                .isSubsetOf(handedOn);
    }
}
