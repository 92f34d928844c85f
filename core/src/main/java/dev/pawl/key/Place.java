package dev.pawl.key;

/**
 * Where a record is found in a job: by scope, name and item, never by position, so that steps may come, go and move.
 *
 * @param scope the scope; empty at the top of the workflow
 * @param name the step's or effect's name
 * @param item which of many, when one name is used for several; else empty
 */
public record Place(String scope, String name, String item) {

    private static final int MOST_CHARS = 512;

    /** The workflow's own body, outside any step. */
    public static final Place WORKFLOW = new Place("", "", "");

    public Place {
        if (!name.isEmpty()) {
            Names.check("step or effect", name);
        }
        if (item.length() > MOST_CHARS || scope.length() > MOST_CHARS) {
            throw new IllegalArgumentException(
                    "an item key has at most " + MOST_CHARS + " characters; hash what is long");
        }
    }

    /** The place that {@link #toString()} wrote. */
    public static Place parse(String text) {
        var at = text.indexOf('@');
        var item = at < 0 ? "" : Percent.unescape(text.substring(at + 1));
        var path = at < 0 ? text : text.substring(0, at);
        var slash = path.lastIndexOf('/');
        return new Place(slash < 0 ? "" : Percent.unescape(path.substring(0, slash)), path.substring(slash + 1), item);
    }

    /** For people and for the store: {@code name}, {@code name@item} or {@code scope/name@item}. */
    @Override
    public String toString() {
        if (scope.isEmpty() && item.isEmpty()) {
            return name;
        }
        return (scope.isEmpty() ? "" : escape(scope) + "/") + name + (item.isEmpty() ? "" : "@" + escape(item));
    }

    private static String escape(String text) {
        return Percent.escape(text, c -> c == '@' || c == '/' || c == '%' || Character.isISOControl(c));
    }
}
