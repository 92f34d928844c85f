package dev.pawl.export;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What there is in a store, in the order in which it is told, with what each has. Names are for ever; a further field comes last. */
public enum StoreKind {
    /** A job as it stands; what its fields mean is said where the store keeps them. Times are milliseconds since 1970. */
    JOB(
            "number",
            "workflow",
            "key",
            "queue",
            "principal",
            "input",
            "state",
            "resubmission",
            "fence",
            "owner",
            "claim",
            "lastChange",
            "suspect",
            "strikes",
            "created",
            "changed",
            "due",
            "result",
            "failure",
            "question",
            "priority",
            "lane",
            "laneMost",
            "news",
            "cancelling",
            "gate",
            "gateClosings",
            "ended",
            "traceparent",
            "owes",
            "version"),
    /** A line of a job's journal. */
    ENTRY("job", "number", "change", "resubmission", "at", "entry", "place", "body"),
    /** What is known of an attempt. */
    ATTEMPT("job", "resubmission", "place", "number", "status", "intended", "rememberedUntil"),
    /** One job waits for the end of another. */
    CALL("child", "parent", "resubmission", "place", "detached"),
    /** The bytes of an artifact, in Base64. */
    ARTIFACT("job", "resubmission", "place", "bytes"),
    /** What is left to do of a change. */
    FOLLOW_UP("number", "job", "rest", "text"),
    /** A worker that is enlisted, or was declared dead and has jobs yet. */
    WORKER("number", "name", "beat", "beaten", "term", "claim", "taking", "end"),
    /** The number of a worker that is gone. */
    GONE("worker", "at"),
    /** How many jobs of a queue run at once. */
    QUEUE("name", "most"),
    /** A gate. */
    GATE("name", "cause", "why", "since", "until", "closings", "raised", "raisedAt", "openings"),
    /** How often a rate was used lately. */
    PASSED("gate", "since", "taken"),
    /** What was spent on a day, counted from 1970. */
    SPENT(
            "day",
            "workflow",
            "model",
            "nanoUsd",
            "input",
            "output",
            "cached",
            "toolCalls",
            "unpriced",
            "lost",
            "cacheWritten"),
    /** The table of prices. */
    PRICES("number", "at", "who", "why", "lines"),
    /** A collection of rows. */
    COLLECTION("number", "name", "enrolled"),
    /** Rows that are sent together. */
    PART("number", "collection", "name", "job", "opened", "rows", "hash", "provider"),
    /** A row of a collection. */
    ROW(
            "number",
            "collection",
            "key",
            "generation",
            "hash",
            "state",
            "because",
            "dealtWith",
            "changed",
            "made",
            "spent",
            "part",
            "won"),
    /** What was sent of a row, or is to be. */
    PAYLOAD("row", "generation", "payload"),
    /** An attempt of a row. */
    ROW_ATTEMPT("row", "generation", "number", "part", "opened", "state", "because", "why", "use", "result", "ended"),
    /** A person's word about a row. */
    ROW_WORD("row", "generation", "at", "word", "who", "why"),
    /** A table of the store's user that moves along: its columns, keys and indexes as JSON. */
    TABLE("name", "definition"),
    /** A row of such a table, as a list of its values; bytes are written as {@code {"base64": "…"}}. */
    TABLE_ROW("table", "values");

    private static final Map<String, Optional<Object>> LATER = Map.of(
            "job traceparent",
            Optional.empty(),
            "job owes",
            Optional.of(0L),
            "job version",
            Optional.of(""),
            "spent cacheWritten",
            Optional.of(0L));

    private final List<String> fields;

    StoreKind(String... fields) {
        this.fields = List.of(fields);
    }

    /** What each of this kind has, in order. */
    public List<String> fields() {
        return fields;
    }

    /** Whether exports that were written before there was such a field are read all the same. */
    boolean mayLack(String field) {
        return LATER.containsKey(word() + " " + field);
    }

    /** What is read where such a field is missing. */
    @Nullable
    Object unsaid(String field) {
        return Objects.requireNonNull(LATER.get(word() + " " + field)).orElse(null);
    }

    /** As it is written: {@code follow-up}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
