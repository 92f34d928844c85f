package dev.pawl.key;

import java.util.ArrayList;
import java.util.List;

/**
 * Which job this is: a workflow's name and a job key. Submitting the same identity twice means the same job.
 *
 * @param workflow the workflow's name
 * @param key what is processed
 */
public record Identity(String workflow, Key key) {

    public Identity {
        Names.check("workflow", workflow);
    }

    /** The job named like {@code daily-blog-pr/2026-04-12}. */
    public static Identity parse(String text) {
        var slash = text.indexOf('/');
        if (slash < 1) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a job; write WORKFLOW/KEY, as in daily-blog-pr/2026-04-12");
        }
        return new Identity(text.substring(0, slash), Key.parse(text.substring(slash + 1)));
    }

    /** 32 hex digits that stand for this job in every store. */
    public String hash() {
        var parts = new ArrayList<>(List.of("job", workflow));
        parts.addAll(key.parts());
        return Encoding.hash(Encoding.encode(parts));
    }

    @Override
    public String toString() {
        return workflow + "/" + key;
    }
}
