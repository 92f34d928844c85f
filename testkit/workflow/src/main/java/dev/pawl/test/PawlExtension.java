package dev.pawl.test;

import dev.pawl.job.Workflow;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests of JUnit a {@link PawlTest} that works on these workflows, a new one for each test, closed after it, and an {@link Outside} if they want one.
 *
 * <pre>{@code
 * @RegisterExtension
 * private final PawlExtension works = PawlExtension.on(ORDER.implementedBy(shop::order));
 *
 * @Test
 * void nobody_pays(PawlTest pawl) {
 *     var job = pawl.submit(ORDER, Key.of("7"), "lamp");
 *     pawl.advance(Duration.ofDays(3));
 *     assertEquals("nobody paid", pawl.result(ORDER, job));
 * }
 * }</pre>
 */
public final class PawlExtension implements ParameterResolver {
    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(PawlExtension.class);

    private final List<Workflow.Implementation<?, ?>> code;

    private PawlExtension(List<Workflow.Implementation<?, ?>> code) {
        this.code = code;
    }

    /** Works on these. */
    public static PawlExtension on(Workflow.Implementation<?, ?>... code) {
        return new PawlExtension(List.of(code));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        var type = parameter.getParameter().getType();
        return type.equals(PawlTest.class) || type.equals(Outside.class);
    }

    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        var kept = test.getStore(OURS);
        // A store of JUnit closes what can be closed when the test is over.
        return parameter.getParameter().getType().equals(PawlTest.class)
                ? kept.computeIfAbsent(
                        PawlTest.class,
                        wanted -> PawlTest.of(code.toArray(Workflow.Implementation[]::new)),
                        PawlTest.class)
                : kept.computeIfAbsent(Outside.class, wanted -> new Outside(), Outside.class);
    }
}
