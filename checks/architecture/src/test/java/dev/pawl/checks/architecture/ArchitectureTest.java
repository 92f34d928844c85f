package dev.pawl.checks.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Arrows point one way. */
class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.pawl");

    private static final List<String> STORES =
            List.of("dev.pawl.store.memory..", "dev.pawl.store.sqlite..", "dev.pawl.store.postgres..");

    @Test
    void enough_classes_are_looked_at() {
        assertThat(CLASSES.size()).isGreaterThan(200);
    }

    @Test
    void nothing_in_the_store_port_is_of_sql_but_what_only_sql_stores_have() {
        noClasses()
                .that()
                .resideInAPackage("dev.pawl.store")
                .and()
                .doNotHaveSimpleName("SqlStore")
                .and()
                .doNotHaveFullyQualifiedName("dev.pawl.store.SqlStore$Work")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..")
                .as("architecture: the port of stores knows no SQL")
                .check(CLASSES);
    }

    @Test
    void packages_have_no_cycles() {
        slices().matching("dev.pawl.(**)")
                .should()
                .beFreeOfCycles()
                .as("architecture: no package cycles")
                .check(CLASSES);
    }

    @Test
    void core_sees_no_store_no_engine_and_no_front_door() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.pawl.time..",
                        "dev.pawl.text..",
                        "dev.pawl.key..",
                        "dev.pawl.json..",
                        "dev.pawl.retry..",
                        "dev.pawl.effect..",
                        "dev.pawl.decision..",
                        "dev.pawl.journal..",
                        "dev.pawl.cost..",
                        "dev.pawl.gate..",
                        "dev.pawl.job..",
                        "dev.pawl.lease..",
                        "dev.pawl.store",
                        "dev.pawl.event..",
                        "dev.pawl.http..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.pawl.store.memory..",
                        "dev.pawl.store.jdbc..",
                        "dev.pawl.store.sqlite..",
                        "dev.pawl.store.postgres..",
                        "dev.pawl.engine..",
                        "dev.pawl.cli..",
                        "dev.pawl.testkit..",
                        "dev.pawl")
                .as("architecture: core sees nothing above it")
                .check(CLASSES);
    }

    @Test
    void stores_see_neither_each_other_nor_the_engine() {
        for (var store : STORES) {
            var others = STORES.stream().filter(other -> !other.equals(store));
            noClasses()
                    .that()
                    .resideInAPackage(store)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(Stream.concat(others, Stream.of("dev.pawl.engine.."))
                            .toArray(String[]::new))
                    .as("architecture: siblings never see each other")
                    .check(CLASSES);
        }
        noClasses()
                .that()
                .resideInAPackage("dev.pawl.store.jdbc..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(STORES.toArray(String[]::new))
                .as("architecture: plumbing knows no store")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("dev.pawl.engine..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pawl.store.*..")
                .as("architecture: the engine knows the port, not the stores")
                .check(CLASSES);
    }

    @Test
    void every_package_says_what_may_be_null() {
        classes()
                .that()
                .haveSimpleName("package-info")
                .should()
                .beAnnotatedWith(NullMarked.class)
                .as("architecture: every package is @NullMarked")
                .check(CLASSES);
        var marked = CLASSES.stream()
                .filter(c -> c.getSimpleName().equals("package-info"))
                .count();
        var packages = CLASSES.stream().map(c -> c.getPackageName()).distinct().count();
        assertThat(marked).as("packages with a package-info").isEqualTo(packages);
    }
}
