package dev.pawl.json;

import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

/** Finds types of which nothing that is written down could be read again, before anything is done whose result would be lost. */
final class KeptTypes {
    private final JsonMapper mapper;
    private final TypeToken<?> root;
    private final Set<JavaType> seen = new HashSet<>();

    private KeptTypes(JsonMapper mapper, TypeToken<?> root) {
        this.mapper = mapper;
        this.root = root;
    }

    static void require(JsonMapper mapper, TypeToken<?> type) {
        new KeptTypes(mapper, type).look(mapper.constructType(type.type()), "");
    }

    private void look(JavaType type, String at) {
        if (!seen.add(type)) {
            return;
        }
        if (type.getKeyType() != null) {
            look(type.getKeyType(), at);
        }
        if (type.getContentType() != null) {
            look(type.getContentType(), at);
        } else if (!isTheJdks(type.getRawClass()) && !type.isEnumType()) {
            lookAtMembers(type, at);
        }
    }

    private static boolean isTheJdks(Class<?> raw) {
        return raw.isPrimitive()
                || raw.getName().startsWith("java.")
                || raw.getName().startsWith("tools.jackson.");
    }

    private void lookAtMembers(JavaType type, String at) {
        var raw = type.getRawClass();
        try {
            mapper.readerFor(type).readValue("{}");
        } catch (InvalidDefinitionException cannotBeMade) {
            throw refused(Objects.requireNonNullElse(cannotBeMade.getType(), type), at, cannotBeMade);
        } catch (JacksonException ignored) {
            // It can be made of something, which is not nothing.
        }
        var introspector = mapper.deserializationConfig().classIntrospectorInstance();
        for (var member : introspector
                .introspectForDeserialization(type, introspector.introspectClassAnnotations(type))
                .findProperties()) {
            if (member.couldDeserialize()) {
                look(member.getPrimaryType(), at + "." + member.getName());
            }
        }
        if (raw.isSealed()) {
            for (var kind : raw.getPermittedSubclasses()) {
                look(mapper.constructType(kind), at);
            }
        }
    }

    private IllegalArgumentException refused(JavaType type, String at, Exception cause) {
        var raw = type.getRawClass();
        var where = at.isEmpty() ? "" : " (at " + at.substring(1) + ")";
        return new IllegalArgumentException(
                "values of " + root + " cannot be read once they are stored: " + raw.getSimpleName() + where + " "
                        + why(raw),
                cause);
    }

    private static String why(Class<?> raw) {
        if (raw.isInterface() || Modifier.isAbstract(raw.getModifiers())) {
            return (raw.isSealed() ? "is sealed" : raw.isInterface() ? "is an interface" : "is abstract")
                    + ", and JSON does not say which of its kinds a value is; @JsonTypeInfo(use = JsonTypeInfo.Id.NAME) on it"
                    + " makes each say so" + (raw.isSealed() ? "" : ", and @JsonSubTypes names them");
        }
        if (isOfKotlin(raw)) {
            return "is of Kotlin; put tools.jackson.module:jackson-module-kotlin on the class path";
        }
        if (raw.isMemberClass() && !Modifier.isStatic(raw.getModifiers())) {
            return "is an inner class, which belongs to an object that is not stored; make it static, or a record";
        }
        return "has no constructor that its members could be given to; make it a record, or say which one is with @JsonCreator";
    }

    private static boolean isOfKotlin(Class<?> raw) {
        for (var annotation : raw.getDeclaredAnnotations()) {
            if (annotation.annotationType().getName().equals("kotlin.Metadata")) {
                return true;
            }
        }
        return false;
    }
}
