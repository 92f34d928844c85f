package dev.pawl.opentelemetry;

import dev.pawl.OpenQuestions;
import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.event.AttemptListener;
import dev.pawl.event.BegunAttempt;
import dev.pawl.event.EventKind;
import dev.pawl.event.RunOfJob;
import dev.pawl.text.EnumWords;
import dev.pawl.time.Time;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Spans and metrics of what jobs do in this process. Each run of a job is a span, linked to the run before it, wherever that was, and to whoever submitted the job; each attempt of a step or an effect is a span inside. What
 * is only replayed is none. No key of a job is on a metric, and no key of an effect is anywhere.
 *
 * <p>{@code var telemetry = PawlTelemetry.through(openTelemetry); var pawl = Pawl.open(address, telemetry.on(PawlOptions.usual())); telemetry.watch(pawl);}
 */
public final class PawlTelemetry implements AttemptListener, AutoCloseable {
    private static final String NAME = "dev.pawl";

    private final OpenTelemetry openTelemetry;
    private final Tracer tracer;
    private final Instruments instruments;
    private final Map<RunOfJob, Context> runs = new ConcurrentHashMap<>();

    private PawlTelemetry(OpenTelemetry openTelemetry, Time time) {
        this.openTelemetry = openTelemetry;
        this.tracer = openTelemetry.getTracer(NAME);
        this.instruments = new Instruments(openTelemetry.getMeter(NAME), time);
    }

    /** What is seen goes through {@code openTelemetry}. */
    public static PawlTelemetry through(OpenTelemetry openTelemetry) {
        return new PawlTelemetry(openTelemetry, Time.system());
    }

    /** The same options, and what is done under them is traced and measured. */
    public PawlOptions on(PawlOptions options) {
        return options.around(this);
    }

    /** Gauges of what the store of {@code pawl} has: how many jobs ask a person, and for how long. They end with {@link #close}. */
    public void watch(Pawl pawl) {
        instruments.watch(openTelemetry.getMeter(NAME), new OpenQuestions(pawl));
    }

    /** The gauges end. */
    @Override
    public void close() {
        instruments.close();
    }

    // ---- runs

    @Override
    public RunEnd begins(RunOfJob run) {
        instruments.begins(run);
        var builder = tracer.spanBuilder("run " + run.job().workflow())
                .setNoParent()
                .setAttribute("pawl.workflow", run.job().workflow())
                .setAttribute("pawl.job", run.job().toString())
                .setAttribute("pawl.fence", run.fence())
                .setAttribute("pawl.resubmission", (long) run.resubmission())
                .setAttribute("pawl.worker", run.worker());
        for (var other : new String[] {run.before(), run.handling().traceparent()}) {
            var linked = context(other);
            if (linked.isValid()) {
                builder.addLink(linked);
            }
        }
        var span = builder.startSpan();
        var context = Context.current().with(span);
        runs.put(run, context);
        var current = enter(context);
        return new RunEnd() {
            @Override
            public void ended(EventKind how) {
                current.close();
                runs.remove(run);
                span.setAttribute("pawl.outcome", EnumWords.word(how));
                if (how == EventKind.FAILED || how == EventKind.BROKEN || how == EventKind.LEASE_LOST) {
                    span.setStatus(StatusCode.ERROR, EnumWords.word(how));
                }
                instruments.ended(run, how);
                span.end();
            }

            @Override
            public @Nullable String traceparent() {
                return text(span.getSpanContext());
            }
        };
    }

    @Override
    public Runnable joins(RunOfJob run) {
        return enter(Objects.requireNonNull(runs.getOrDefault(run, Context.current())))::close;
    }

    @SuppressWarnings("MustBeClosedChecker") // what hears the end closes it
    private static Scope enter(Context context) {
        return context.makeCurrent();
    }

    private static @Nullable String text(SpanContext span) {
        return span.isValid()
                ? "00-" + span.getTraceId() + "-" + span.getSpanId() + "-"
                        + span.getTraceFlags().asHex()
                : null;
    }

    /** A parent as tracing writes it; what is none is told as invalid. */
    private static SpanContext context(@Nullable String traceparent) {
        if (traceparent == null) {
            return SpanContext.getInvalid();
        }
        var parts = traceparent.split("-", -1);
        return SpanContext.createFromRemoteParent(
                parts[1], parts[2], TraceFlags.fromHex(parts[3], 0), TraceState.getDefault());
    }

    // ---- attempts

    @Override
    public AttemptEnd begins(BegunAttempt attempt) {
        var contract = attempt.contract();
        var span = tracer.spanBuilder((contract == null ? "step " : "effect ")
                        + attempt.place().name())
                .setAttribute("pawl.place", attempt.place().toString())
                .setAttribute("pawl.attempt", (long) attempt.number())
                .startSpan();
        if (contract != null) {
            span.setAttribute("pawl.contract", contract.toString());
        }
        var current = enter(Context.current().with(span));
        return ended -> {
            current.close();
            span.setAttribute("pawl.outcome", EnumWords.word(ended.outcome()));
            var why = ended.why();
            if (why != null) {
                span.setAttribute("error.type", why.code());
                span.setStatus(StatusCode.ERROR, why.message());
            }
            span.end();
            instruments.ended(attempt, ended);
        };
    }
}
