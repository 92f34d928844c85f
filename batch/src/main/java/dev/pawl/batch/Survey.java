package dev.pawl.batch;

import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.Brief;
import dev.pawl.store.StoreFailure;
import dev.pawl.text.Many;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Looks at all rows before anything starts: reads them, finds what cannot be right, and sees which are done already. It only reads. Not
 * thread-safe.
 */
public final class Survey {
    private static final int AT_ONCE = 1_000;
    private static final int MOST_TOLD = 20;

    private final RowFile file;
    private final RowFile.Stamp stamp;
    private final String batch;
    private final KeyFields fields;
    private final Volatility volatility;
    private final SeenRows seen = new SeenRows();
    private Map<String, String> page = new LinkedHashMap<>();
    private @Nullable Looked ahead;
    private final ToldLines bad = new ToldLines();
    private final ToldLines withoutKey = new ToldLines();
    private final Map<Long, List<Long>> clashes = new LinkedHashMap<>();
    private final Counts counts = new Counts();

    private Survey(RowFile file, String batch, KeyFields fields) throws IOException {
        this.file = file;
        this.stamp = file.stamp();
        this.batch = batch;
        this.fields = fields;
        this.volatility = new Volatility(fields.paths());
    }

    /** Says how jobs stand. */
    public interface LookUp {
        /** How the jobs stand that are there, by the hashes of their identities. */
        Map<String, Brief> briefs(Collection<String> hashes);
    }

    /** How many rows there are of each kind. */
    static final class Counts {
        long rows;
        long repeated;
        long done;
        long changed;
        long failed;
        long cancelled;
        long conflicting;
        long left;
    }

    /** Lines with what is wrong with them, as many as anybody reads. */
    static final class ToldLines {
        private final List<String> lines = new ArrayList<>();
        private long many;

        private void add(long line, String what) {
            many++;
            if (lines.size() < MOST_TOLD) {
                lines.add("line " + line + ": " + what);
            }
        }

        long many() {
            return many;
        }

        String text() {
            return String.join("\n  ", lines)
                    + (many > lines.size() ? "\n  and " + (many - lines.size()) + " more" : "");
        }
    }

    /**
     * Reads all rows.
     *
     * @param lookUp how jobs stand, by the hashes of their identities
     * @param skipped is told the lines that are no rows; null when such lines are an error
     */
    public static Survey of(
            RowFile file, String batch, KeyFields fields, LookUp lookUp, @Nullable Consumer<Row> skipped)
            throws IOException {
        var survey = new Survey(file, batch, fields);
        Ahead.read(file, row -> survey.take(row, lookUp, skipped));
        survey.lookUp(lookUp);
        survey.takeIn();
        return survey;
    }

    /**
     * A page of rows that is being looked up while the next one is read.
     *
     * @param page rows by the hashes of their identities
     * @param briefs how their jobs stand
     */
    private record Looked(Map<String, String> page, CompletableFuture<Map<String, Brief>> briefs) {}

    private void take(Row row, LookUp lookUp, @Nullable Consumer<Row> skipped) {
        if (row.trouble() != null) {
            if (skipped == null) {
                bad.add(row.line(), row.trouble());
            } else {
                skipped.accept(row);
            }
            return;
        }
        counts.rows++;
        var value = Objects.requireNonNull(row.value());
        List<String> values;
        Identity identity;
        try {
            values = fields.values(value);
            identity = new Identity(batch, KeyFields.key(values));
        } catch (IllegalArgumentException e) {
            withoutKey.add(row.line(), String.valueOf(e.getMessage()));
            return;
        }
        String json;
        try {
            json = Json.canonical(value);
        } catch (JsonMismatch e) {
            withoutKey.add(row.line(), String.valueOf(e.getMessage()));
            return;
        }
        volatility.add(values);
        var hash = identity.hash();
        var rowHash = hash(json);
        var earlier = seen.add(hash, rowHash, row.line());
        if (earlier == 0) {
            page.put(hash, json);
            if (page.size() >= AT_ONCE) {
                lookUp(lookUp);
            }
        } else if (seen.sameRow(hash, rowHash)) {
            counts.repeated++;
        } else if (clashes.size() < MOST_TOLD || clashes.containsKey(earlier)) {
            clashes.computeIfAbsent(earlier, first -> new ArrayList<>(List.of(first)))
                    .add(row.line());
        }
    }

    /** Begins to look a page up, once the one before it was taken in. */
    private void lookUp(LookUp lookUp) {
        takeIn();
        var asked = page;
        page = new LinkedHashMap<>();
        ahead = new Looked(asked, CompletableFuture.supplyAsync(() -> lookUp.briefs(asked.keySet())));
    }

    private void takeIn() {
        var looked = ahead;
        if (looked != null) {
            var briefs = joined(looked.briefs());
            looked.page().forEach((hash, json) -> count(hash, json, briefs.get(hash)));
            ahead = null;
        }
    }

    /** What was looked up; what went wrong is thrown as it was. */
    private static Map<String, Brief> joined(CompletableFuture<Map<String, Brief>> looking) {
        try {
            return looking.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreFailure failure ? failure : e;
        }
    }

    private void count(String hash, String json, @Nullable Brief brief) {
        if (brief == null) {
            counts.left++;
            seen.leave(hash);
            return;
        }
        var same = brief.wasGiven(json);
        switch (brief.state()) {
            case DONE -> {
                counts.done++;
                counts.changed += same ? 0 : 1;
            }
            case CANCELLED -> counts.cancelled++;
            case FAILED -> counts.failed++;
            case READY, RUNNING, WAITING, PAUSED -> {
                counts.conflicting += same ? 0 : 1;
                counts.left++;
                seen.leave(hash);
            }
        }
    }

    /** 64 bits tell two rows of one key apart well enough: whoever cheated here would only cheat their own batch. */
    private static long hash(String json) {
        var hash = 0xcbf29ce484222325L;
        for (var i = 0; i < json.length(); i++) {
            hash = (hash ^ json.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }

    /** Whether there is no row at all. */
    public boolean isEmpty() {
        return counts.rows == 0;
    }

    /** For how many rows something is left to do. */
    public long left() {
        return counts.left;
    }

    Counts counts() {
        return counts;
    }

    SeenRows seen() {
        return seen;
    }

    /**
     * Reads the rows again for which something is left to do.
     *
     * @throws RowsChanged when they are not the rows that were looked at; none of those that changed is told
     */
    void eachLeft(BiConsumer<Key, JsonNode> each) throws IOException {
        if (!file.stamp().equals(stamp)) {
            readAgain((key, row) -> {});
        }
        readAgain(each);
    }

    private void readAgain(BiConsumer<Key, JsonNode> each) throws IOException {
        var changed = new ToldLines();
        var rows = new AtomicLong();
        file.read(row -> {
            var value = row.value();
            if (value == null) {
                return true;
            }
            rows.incrementAndGet();
            var key = sameKey(value);
            if (key == null) {
                changed.add(row.line(), "is another row now");
            } else if (changed.many() == 0 && seen.isLeft(new Identity(batch, key).hash())) {
                each.accept(key, value);
            }
            return true;
        });
        if (changed.many() > 0 || rows.get() != counts.rows) {
            throw new RowsChanged(file.path()
                    + " was changed while it was read; it had " + Many.of(counts.rows, "row") + " and has " + rows.get()
                    + ". Run it again once nobody writes it; what was begun is not done twice"
                    + (changed.many() > 0 ? "\n  " + changed.text() : ""));
        }
    }

    /** The key of a row that was looked at, and says the same; null when it was not, or does not. */
    private @Nullable Key sameKey(JsonNode value) {
        try {
            var key = KeyFields.key(fields.values(value));
            return seen.saw(new Identity(batch, key).hash(), hash(Json.canonical(value))) ? key : null;
        } catch (IllegalArgumentException | JsonMismatch e) {
            return null;
        }
    }

    /** What somebody may want to know, and what changes nothing. */
    public List<String> remarks() {
        var remarks = new ArrayList<String>();
        if (counts.repeated > 0) {
            remarks.add(Many.of(
                    counts.repeated,
                    "row stands there more than once, and is one",
                    "rows stand there more than once, and are one each"));
        }
        if (counts.changed > 0) {
            remarks.add(
                    Many.of(
                                    counts.changed,
                                    "row was done with other values than it has now, and is",
                                    "rows were done with other values than they have now, and are")
                            + " not done again. A resubmission would use the values of then; give what is to be done anew a key of its own");
        }
        if (counts.conflicting > 0) {
            remarks.add(Many.of(
                            counts.conflicting,
                            "row was begun with other values than it has now, and goes",
                            "rows were begun with other values than they have now, and go")
                    + " on with those");
        }
        return remarks;
    }

    /** What cannot be right, each with what to do about it; empty when nothing is wrong. */
    public List<String> troubles(boolean allowVolatileKey) {
        var troubles = new ArrayList<String>();
        if (bad.many() > 0) {
            troubles.add(Many.of(bad.many(), "line")
                    + " cannot be read; mend the file, or add --skip-bad-lines FILE to put such lines there\n  "
                    + bad.text());
        }
        if (withoutKey.many() > 0) {
            troubles.add(Many.of(withoutKey.many(), "row has", "rows have")
                    + " no key; mend the file, or make the key of other fields with --key\n  " + withoutKey.text());
        }
        if (!clashes.isEmpty()) {
            var lines = new ArrayList<String>();
            clashes.values()
                    .forEach(same -> lines.add("lines "
                            + String.join(
                                    ", ", same.stream().map(String::valueOf).toList())));
            troubles.add(
                    "different rows have the same key; add the field that tells them apart to --key, or remove all but one\n  "
                            + String.join("\n  ", lines));
        }
        if (!allowVolatileKey) {
            volatility
                    .troubles()
                    .forEach(trouble -> troubles.add(trouble
                            + "; a key that is another one tomorrow makes every row new every night. Make the key of what is processed with --key,"
                            + " or insist with --allow-volatile-key"));
        }
        return troubles;
    }
}
