package dev.pawl.checks.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** One name, one thing: a name that stands for two must be looked up each time. */
class NamesTest {
    /** What is stored under these names cannot have others: of a failed job both its failure and where it was, of a question and of a message what kind it is. */
    private static final Set<String> STORED_SO = Set.of("dev.pawl.store failure", "dev.pawl.journal kind");

    private static final List<JavaClass> PRODUCTION = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS).importPackages("dev.pawl").stream()
                    .filter(type -> !type.getSimpleName().isEmpty()
                            && !type.getSimpleName().equals("package-info")
                            && !type.getPackageName().startsWith("dev.pawl.testkit")
                            && !type.getPackageName().startsWith("dev.pawl.checks"))
                    .toList();

    /** Written with the sealed type that it stands in: {@code Ending.Done}. */
    private static boolean isVariant(JavaClass type) {
        return type.getEnclosingClass()
                .map(outer -> type.getAllRawInterfaces().contains(outer)
                        || type.getAllRawSuperclasses().contains(outer))
                .orElse(false);
    }

    @Test
    void no_simple_name_stands_for_two_unlike_things() {
        assertThat(PRODUCTION).hasSizeGreaterThan(400);
        var named = PRODUCTION.stream()
                .filter(type -> !isVariant(type) && !type.isAnonymousClass())
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName,
                        TreeMap::new,
                        Collectors.mapping(JavaClass::getName, Collectors.toCollection(TreeSet::new))));
        named.values().removeIf(types -> types.size() == 1);
        assertThat(named).isEmpty();
    }

    /** What it and all that it is are called, as far as it is ours. */
    private static Set<String> ours(Class<?> type) {
        var all = new HashSet<String>();
        if (type.isArray()) {
            return ours(type.getComponentType());
        }
        if (type.getName().startsWith("dev.pawl.")) {
            all.add(type.getName());
        }
        for (var above : type.getInterfaces()) {
            all.addAll(ours(above));
        }
        if (type.getSuperclass() != null) {
            all.addAll(ours(type.getSuperclass()));
        }
        return all;
    }

    private static void add(Map<String, Set<Class<?>>> found, Class<?> where, String name, Class<?> type) {
        if (!ours(type).isEmpty() && type.getName().contains("dev.pawl.")) {
            found.computeIfAbsent(where.getPackageName() + " " + name, ignored -> new HashSet<>())
                    .add(type);
        }
    }

    @Test
    void no_field_and_no_parameter_is_called_like_another_of_an_unlike_type_in_its_package() throws Exception {
        var found = new TreeMap<String, Set<Class<?>>>();
        for (var imported : PRODUCTION) {
            var type = Class.forName(imported.getName(), false, NamesTest.class.getClassLoader());
            for (var field : type.getDeclaredFields()) {
                var constant = Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers());
                if (!field.isSynthetic() && !constant) {
                    add(found, type, field.getName(), field.getType());
                }
            }
            for (var method : type.getDeclaredMethods()) {
                if (!method.isSynthetic()) {
                    for (var parameter : method.getParameters()) {
                        add(found, type, parameter.getName(), parameter.getType());
                    }
                }
            }
        }
        assertThat(found).hasSizeGreaterThan(300);
        var unlike = new ArrayList<String>();
        found.forEach((name, types) -> {
            for (var one : types) {
                for (var other : types) {
                    if (one.getName().compareTo(other.getName()) < 0
                            && Collections.disjoint(ours(one), ours(other))
                            && !STORED_SO.contains(name)) {
                        unlike.add(name + ": " + one.getName() + " and " + other.getName());
                    }
                }
            }
        });
        assertThat(unlike).isEmpty();
    }

    @Test
    void every_public_type_of_core_and_library_stands_among_the_words_and_no_other() {
        var declared = Pattern.compile("^public [\\w ]*?(?:class|interface|record|enum) (\\w+)", Pattern.MULTILINE);
        var types = new TreeSet<String>();
        for (var file : Sources.ending(".java")) {
            var name = Sources.name(file);
            if (name.startsWith("core/src/main/") || name.startsWith("library/src/main/")) {
                var found = declared.matcher(Sources.read(file));
                if (found.find()) {
                    var folder = name.replaceFirst(".*/src/main/java/dev/pawl/?", "")
                            .replaceFirst("/?[^/]+$", "")
                            .replace('/', '.');
                    types.add((folder.isEmpty() ? "" : folder + ".") + found.group(1));
                }
            }
        }
        var page = Sources.read(Sources.ROOT.resolve("docs/words.md"));
        var listed = Pattern.compile("^\\| `([\\w.]+)` \\|", Pattern.MULTILINE)
                .matcher(page.substring(page.indexOf("## Public types")))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(types).hasSizeGreaterThan(100);
        assertThat(listed).isEqualTo(types);
    }
}
