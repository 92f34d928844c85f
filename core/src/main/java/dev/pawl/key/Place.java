package dev.pawl.key;

/**
 * Where a record is found in a job: by scope, name and item, never by position, so that steps may come, go and move.
 *
 * @param scope the scope: empty at the top of the workflow, else the text of the place that it is inside of
 * @param name the step's or effect's name
 * @param item which of many, when one name is used for several; else empty
 */
public record Place(String scope, String name, String item) {

    private static final int MOST_CHARS = 512;
    private static final int MOST_SCOPE_CHARS = 4_096;

    /** The workflow's own body, outside any step. */
    public static final Place WORKFLOW = new Place("", "", "");

    public Place {
        if (!name.isEmpty()) {
            Names.check("step or effect", name);
        }
        if (item.length() > MOST_CHARS) {
            throw new IllegalArgumentException(
                    "an item key has at most " + MOST_CHARS + " characters; hash what is long");
        }
        if (scope.length() > MOST_SCOPE_CHARS) {
            throw new IllegalArgumentException("fan-outs are nested too deeply");
        }
    }

    /** The place that {@link #toString()} wrote. */
    public static Place parse(String text) {
        var slash = text.lastIndexOf('/');
        var scope = slash < 0 ? "" : text.substring(0, slash);
        var rest = text.substring(slash + 1);
        var at = rest.indexOf('@');
        return at < 0
                ? new Place(scope, rest, "")
                : new Place(scope, rest.substring(0, at), Percent.unescape(rest.substring(at + 1)));
    }

    /** The scope of what happens inside this place: for one item of a fan-out, its own. */
    public String inside() {
        return toString();
    }

    /** For people and for the store: {@code name}, {@code name@item} or {@code scope/name@item}. */
    @Override
    public String toString() {
        if (scope.isEmpty() && item.isEmpty()) {
            return name;
        }
        return (scope.isEmpty() ? "" : scope + "/") + name + (item.isEmpty() ? "" : "@" + escape(item));
    }

    private static String escape(String text) {
        return Percent.escape(text, c -> c == '@' || c == '/' || c == '%' || Character.isISOControl(c));
    }
}
