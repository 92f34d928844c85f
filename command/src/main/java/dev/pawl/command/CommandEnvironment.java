package dev.pawl.command;

import dev.pawl.effect.Attempt;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import java.util.HashMap;
import java.util.Map;

/** What the command of an attempt is given to know in its environment, beside what its caller says. */
public final class CommandEnvironment {
    /** Which job it is of; of a guard its name. */
    public static final String JOB = "PAWL_JOB";

    /** Which step or effect it is. */
    public static final String STEP = "PAWL_STEP";

    /** The effect's key, the same on every retry: for the destination. */
    public static final String KEY = "PAWL_KEY";

    /** The day or instant that its job is for. */
    public static final String SLOT = "PAWL_SLOT";

    /** Where whoever types {@code pawl} works. A job's command is not told unless somebody asks for it; empty, it is taken away. */
    public static final String STORE = "PAWL_STORE";

    /** What its job is part of, as tracing writes it; the name is what tracing tools look for. */
    public static final String TRACEPARENT = "TRACEPARENT";

    /** How all names begin that are Pawl's own. */
    public static final String OURS = "PAWL_";

    /** The names of what is masked in whatever a command writes. */
    static final String SECRETS = "PAWL_SECRETS";

    static final String ATTEMPT = "PAWL_ATTEMPT";
    private static final String FENCE = "PAWL_FENCE";
    private static final String RESULT = "PAWL_RESULT";
    private static final String USAGE = "PAWL_USAGE";
    private static final String FAILURE = "PAWL_FAILURE";

    private CommandEnvironment() {}

    /** Of a command that is nobody's job: that it is tried once, and where to put what it has to say. */
    static Order once(CommandCall call, Folder folder) {
        var more = new HashMap<>(call.order().more());
        more.put(STEP, "run");
        more.put(FENCE, "1");
        more.put(ATTEMPT, "1");
        return withFolder(call, more, folder);
    }

    /** Of a job's command: which job, which attempt, and where to put what it has to say. */
    static Order of(Job job, Named name, CommandCall call, Attempt attempt, Folder folder) {
        var more = new HashMap<>(call.order().more());
        more.putIfAbsent(STORE, "");
        more.put(JOB, job.identity().toString());
        more.put(STEP, name.name());
        more.put(KEY, attempt.key());
        more.put(FENCE, String.valueOf(attempt.fence()));
        more.put(ATTEMPT, String.valueOf(attempt.number()));
        var traceparent = attempt.traceparent();
        // Empty it is taken away: whoever started the minder may be part of something else.
        more.putIfAbsent(TRACEPARENT, traceparent == null ? "" : traceparent);
        return withFolder(call, more, folder);
    }

    private static Order withFolder(CommandCall call, Map<String, String> more, Folder folder) {
        more.put(RESULT, folder.result().toString());
        more.put(USAGE, folder.usage().toString());
        more.put(FAILURE, folder.failure().toString());
        var secrets = call.reading().secrets().names();
        if (!secrets.isEmpty()) {
            more.put(SECRETS, String.join(" ", secrets));
        }
        var order = call.order();
        return new Order(order.command(), order.directory(), more, order.timeout());
    }
}
