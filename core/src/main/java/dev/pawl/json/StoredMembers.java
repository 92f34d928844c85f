package dev.pawl.json;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonBackReference;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.lang.annotation.Annotation;
import java.lang.reflect.Executable;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.json.JsonMapper;

/**
 * Which members a value must have, and may have, that was written down earlier. A component that was renamed since then is missing under its new
 * name and left over under its old one; taken as null, an effect would act on it.
 */
final class StoredMembers extends MissingMembers {
    private static final long serialVersionUID = 1;
    private static final Set<Class<?>> MAY_BE_ABSENT =
            Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

    private StoredMembers() {}

    /** {@code mapper}, as it reads what was written down earlier. */
    static JsonMapper reading(JsonMapper mapper) {
        return mapper.rebuild()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .annotationIntrospector(new StoredMembers())
                .addHandler(new LeftOver(mapper))
                .build();
    }

    @Override
    boolean isWanted(AnnotatedMember member) {
        return super.isWanted(member)
                || (member instanceof AnnotatedParameter parameter
                        && !MAY_BE_ABSENT.contains(member.getRawType())
                        && !_hasAnnotation(member, JsonUnwrapped.class)
                        && !_hasAnnotation(member, JacksonInject.class)
                        && !_hasAnnotation(member, JsonBackReference.class)
                        && !isNullable(parameter));
    }

    /** Whether any annotation called Nullable stands at the parameter, its type, or the record's component. */
    private static boolean isNullable(AnnotatedParameter parameter) {
        var index = parameter.getIndex();
        var here = Stream.<Annotation>empty();
        var maker = (Executable) parameter.getOwner().getMember();
        var types = maker.getAnnotatedParameterTypes();
        if (index < types.length) {
            here = Stream.concat(
                    Stream.of(types[index].getAnnotations()), Stream.of(maker.getParameterAnnotations()[index]));
        }
        var components = parameter.getDeclaringClass().getRecordComponents();
        if (components != null && index < components.length) {
            var component = components[index];
            here = Stream.of(
                            here,
                            Stream.of(component.getAnnotations()),
                            Stream.of(component.getAnnotatedType().getAnnotations()))
                    .flatMap(annotations -> annotations);
        }
        return here.anyMatch(one -> one.annotationType().getSimpleName().equals("Nullable"));
    }

    /** A member that today's type does not read: its own, if it writes it still; else nobody knows what it meant. */
    private static final class LeftOver extends DeserializationProblemHandler {
        private final ClassValue<Set<String>> writes;

        LeftOver(JsonMapper mapper) {
            this.writes = new ClassValue<>() {
                @Override
                protected Set<String> computeValue(Class<?> type) {
                    var introspector = mapper.serializationConfig().classIntrospectorInstance();
                    var written = mapper.constructType(type);
                    return introspector
                            .introspectForSerialization(written, introspector.introspectClassAnnotations(written))
                            .findProperties()
                            .stream()
                            .filter(BeanPropertyDefinition::couldSerialize)
                            .map(BeanPropertyDefinition::getName)
                            .collect(Collectors.toUnmodifiableSet());
                }
            };
        }

        @Override
        public boolean handleUnknownProperty(
                DeserializationContext context,
                JsonParser parser,
                ValueDeserializer<?> deserializer,
                Object beanOrClass,
                String name) {
            var type = beanOrClass instanceof Class<?> plain ? plain : beanOrClass.getClass();
            if (writes.get(type).contains(name)) {
                parser.skipChildren();
                return true;
            }
            throw new JsonTrouble.Told(
                    context.constructType(type),
                    "it holds '" + name + "', which " + type.getSimpleName()
                            + " does not know (renamed? @JsonAlias tells; not wanted? ignoreUnknown = true)");
        }
    }
}
