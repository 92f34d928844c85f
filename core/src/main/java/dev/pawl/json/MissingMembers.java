package dev.pawl.json;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;

/** What may not be missing: a number or a boolean that a record or a creator lacks is a mismatch, not a zero, because nobody wrote that zero. */
class MissingMembers extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
        var said = super.hasRequiredMarker(config, member);
        var wanted = said == null && isWanted(member) && alwaysWritten(member);
        return wanted ? Boolean.TRUE : said;
    }

    /** Whether a value without this member would say something that nobody wrote. */
    boolean isWanted(AnnotatedMember member) {
        return member.getRawType().isPrimitive();
    }

    /** What may be left out when it is written cannot be wanted when it is read. */
    private boolean alwaysWritten(AnnotatedMember member) {
        var included = member.getDeclaringClass().getAnnotation(JsonInclude.class);
        var own = _findAnnotation(member, JsonInclude.class);
        var property = _findAnnotation(member, JsonProperty.class);
        return (included == null || included.value() == JsonInclude.Include.ALWAYS)
                && (own == null || own.value() == JsonInclude.Include.ALWAYS)
                && (property == null || property.access() != JsonProperty.Access.READ_ONLY)
                && !isIgnored(member);
    }

    /** A creator's parameter cannot be annotated as ignored; the record's component is, or the record names it. */
    private boolean isIgnored(AnnotatedMember member) {
        var components = member.getDeclaringClass().getRecordComponents();
        if (components != null
                && member instanceof AnnotatedParameter parameter
                && parameter.getIndex() < components.length) {
            var component = components[parameter.getIndex()];
            var ignored = member.getDeclaringClass().getAnnotation(JsonIgnoreProperties.class);
            return component.getAccessor().isAnnotationPresent(JsonIgnore.class)
                    || (ignored != null && List.of(ignored.value()).contains(component.getName()));
        }
        return _hasAnnotation(member, JsonIgnore.class);
    }
}
