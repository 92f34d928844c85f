package dev.pawl.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes the values that users' code gives and gets: inputs, requests, results, signals. Types may be of the users' own, with {@link ValueModules
 * modules} that they brought; a time keeps its zone; what a list or a map holds is written by its declared type, so that each of several kinds says which it
 * is. Thread-safe.
 */
public final class Values {
    /** The longest value that is kept. */
    public static final int MOST_CHARS = 4 << 20;

    private static final String KOTLIN = "tools.jackson.module.kotlin.KotlinModule";

    /** Types that were looked at and can be kept. */
    private static final Set<Object> KEPT = ConcurrentHashMap.newKeySet();

    private Values() {}

    /** Made when the first value of a type with members is written or read: texts and trees, as commands have them, need none of it. */
    private static final class Mappers {
        static final JsonMapper WRITING = Json.mapper()
                .rebuild()
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .addModules(modules())
                .build();
        static final JsonMapper READING = StoredMembers.reading(WRITING);

        private static List<JacksonModule> modules() {
            var modules = new ArrayList<JacksonModule>();
            ServiceLoader.load(JacksonModule.class).stream()
                    .filter(module -> module.type().getName().equals(KOTLIN))
                    .forEach(module -> modules.add(module.get()));
            ServiceLoader.load(ValueModules.class)
                    .forEach(brought -> brought.modules().forEach(modules::add));
            return modules;
        }
    }

    /**
     * {@code value} as JSON, by its own class.
     *
     * @throws JsonMismatch when it cannot be written
     */
    public static String write(@Nullable Object value) {
        return isPlain(value) ? Json.write(value) : write(value, Mappers.WRITING.writer());
    }

    /**
     * {@code value} as JSON, as one of {@code type}.
     *
     * @throws JsonMismatch when it cannot be written
     */
    public static <T> String write(@Nullable T value, TypeToken<? super T> type) {
        if (isPlain(value) || type.type() instanceof Class<?>) {
            return write(value);
        }
        var declared = Mappers.WRITING.constructType(type.type());
        // By its own class where that says more than what was declared; but a class alone no longer knows what it
        // holds.
        var byType = declared.isContainerType()
                || declared.isReferenceType()
                || declared.getRawClass().equals(Objects.requireNonNull(value).getClass());
        return byType ? write(value, Mappers.WRITING.writerFor(declared)) : write(value);
    }

    private static String write(@Nullable Object value, ObjectWriter writer) {
        try {
            return writer.writeValueAsString(value);
        } catch (JacksonException | StackOverflowError e) {
            throw Json.cannotBeWritten(value, e);
        }
    }

    /**
     * The value that {@code json} holds, which was written down earlier, perhaps by an older form of its type: nothing that it lacks is made up,
     * and nothing that it holds is dropped. A component may be missing that is {@code @Nullable} or an {@code Optional}; {@code @JsonAlias} and
     * {@code @JsonIgnoreProperties(ignoreUnknown = true)} tell that something else is meant.
     *
     * @throws JsonMismatch when it does not fit {@code type}
     */
    public static <T> @Nullable T read(String json, TypeToken<T> type) {
        return isPlain(type) ? Json.read(json, type) : Json.read(Mappers.READING, json, type);
    }

    /**
     * Looks whether values of {@code type} can be written down and read back at all.
     *
     * @throws IllegalArgumentException when they cannot, with what is to be done about it
     */
    public static void requireKept(TypeToken<?> type) {
        if (!isPlain(type) && !KEPT.contains(type.type())) {
            KeptTypes.require(Mappers.READING, type);
            KEPT.add(type.type());
        }
    }

    private static boolean isPlain(@Nullable Object value) {
        return value == null
                || value instanceof String
                || value instanceof JsonNode
                || value instanceof Number
                || value instanceof Boolean;
    }

    private static boolean isPlain(TypeToken<?> type) {
        return type.type() instanceof Class<?> plain
                && (plain.equals(String.class) || JsonNode.class.isAssignableFrom(plain));
    }
}
