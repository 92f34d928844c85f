package dev.pawl.command;

import dev.pawl.effect.Attempt;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import java.util.HashMap;
import java.util.Map;

/** What the command of one attempt is given to know, in its environment, beside what its caller says. */
final class AttemptOrder {
    /** The names of what is masked in whatever a command writes. */
    static final String SECRETS = "PAWL_SECRETS";

    /** Where whoever types {@code pawl} works. A job's command is not told unless somebody asks for it; empty, it is taken away. */
    static final String STORE = "PAWL_STORE";

    private AttemptOrder() {}

    /** Of a command that is nobody's job: that it is tried once, and where to put what it has to say. */
    static Order once(CommandCall call, Folder folder) {
        var more = new HashMap<>(call.order().more());
        more.put("PAWL_STEP", "run");
        more.put("PAWL_FENCE", "1");
        more.put("PAWL_ATTEMPT", "1");
        return withFolder(call, more, folder);
    }

    /** Of a job's command: which job, which attempt, and where to put what it has to say. */
    static Order of(Job job, Named name, CommandCall call, Attempt attempt, Folder folder) {
        var more = new HashMap<>(call.order().more());
        more.putIfAbsent(STORE, "");
        more.put("PAWL_JOB", job.identity().toString());
        more.put("PAWL_STEP", name.name());
        more.put("PAWL_KEY", attempt.key());
        more.put("PAWL_FENCE", String.valueOf(attempt.fence()));
        more.put("PAWL_ATTEMPT", String.valueOf(attempt.number()));
        return withFolder(call, more, folder);
    }

    private static Order withFolder(CommandCall call, Map<String, String> more, Folder folder) {
        more.put("PAWL_RESULT", folder.result().toString());
        more.put("PAWL_USAGE", folder.usage().toString());
        more.put("PAWL_FAILURE", folder.failure().toString());
        var secrets = call.reading().secrets().names();
        if (!secrets.isEmpty()) {
            more.put(SECRETS, String.join(" ", secrets));
        }
        var order = call.order();
        return new Order(order.command(), order.directory(), more, order.timeout());
    }
}
