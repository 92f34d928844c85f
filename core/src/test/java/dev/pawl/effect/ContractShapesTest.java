package dev.pawl.effect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A look-up of the wrong shape is one plain error of the compiler. */
class ContractShapesTest {
    @TempDir
    private Path folder;

    private List<Diagnostic<? extends JavaFileObject>> errors(String contract) {
        var source = """
                import dev.pawl.effect.*;
                import dev.pawl.job.*;
                class Wrong {
                    static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
                    Object code() {
                        return W.implementedBy((job, in) -> job.effect("e", %s, in, String.class, (r, a) -> "x"));
                    }
                }
                """.formatted(contract);
        var file = new SimpleJavaFileObject(URI.create("string:///Wrong.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignored) {
                return source;
            }
        };
        var told = new DiagnosticCollector<JavaFileObject>();
        Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
                .getTask(
                        new StringWriter(),
                        null,
                        told,
                        List.of(
                                "-proc:none",
                                "-implicit:none",
                                "-d",
                                folder.toString(),
                                "-cp",
                                System.getProperty("java.class.path")),
                        null,
                        List.of(file))
                .call();
        return told.getDiagnostics().stream()
                .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Contract.giving(String.class).verifiable(a -> true) | boolean cannot be converted to",
                "Contract.giving(String.class).verifiable(() -> Verification.didNotHappen()) | incompatible parameter types in lambda expression",
                "Contract.giving(String.class).verifiable((r, a) -> Verification.didNotHappen()) | incompatible parameter types in lambda expression",
                "Contract.giving(String.class).verifiable(a -> Verification.happened(7)) | java.lang.Integer"
            })
    void it_is_one_sentence(String contract, String sentence) {
        assertThat(errors(contract))
                .singleElement()
                .satisfies(error -> assertThat(error.getMessage(Locale.ENGLISH)).contains(sentence));
    }

    @ParameterizedTest
    @CsvSource({
        "Contract.giving(String.class).verifiable(a -> Verification.didNotHappen())",
        "Contract.giving(String.class).idempotent()",
        "Contract.giving(String.class).idempotent().orVerifiable(a -> Verification.happened(a.key()))",
        "Contract.giving(String.class).none()"
    })
    void and_the_right_shapes_are_none(String contract) {
        assertThat(errors(contract)).isEmpty();
    }
}
