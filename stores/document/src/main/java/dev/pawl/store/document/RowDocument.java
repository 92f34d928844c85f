package dev.pawl.store.document;

import dev.pawl.ledger.AttemptState;
import dev.pawl.ledger.LedgerRow;
import dev.pawl.ledger.ListedRow;
import dev.pawl.ledger.RowHistory;
import dev.pawl.ledger.RowHistory.RowSaid;
import dev.pawl.ledger.RowHistory.RowTry;
import dev.pawl.ledger.RowHistory.TryEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A row of the ledger with all that belongs to it.
 *
 * @param id its number: the order of enrolling
 * @param row as it stands
 * @param payloads by generation
 * @param tries its attempts, in order
 * @param said what people have said of it
 */
public record RowDocument(
        long id, LedgerRow row, Map<Integer, String> payloads, List<RowAttempt> tries, List<RowSaid> said) {
    public RowDocument {
        payloads = Map.copyOf(payloads);
        tries = List.copyOf(tries);
        said = List.copyOf(said);
    }

    /** Which row. */
    public record RowName(String collection, String key) implements Comparable<RowName> {
        @Override
        public int compareTo(RowName another) {
            var byCollection = collection.compareTo(another.collection);
            return byCollection == 0 ? key.compareTo(another.key) : byCollection;
        }
    }

    /** An attempt with its result. */
    public record RowAttempt(RowTry rowTry, @Nullable String result) {
        boolean is(int generation, int number) {
            return rowTry.generation() == generation && rowTry.number() == number;
        }
    }

    /** The row with its values. */
    public ListedRow listed() {
        return new ListedRow(
                row,
                payloads.get(row.generation()),
                tries.stream()
                        .filter(one -> one.is(row.generation(), row.tries().won()))
                        .map(RowAttempt::result)
                        .findFirst()
                        .orElse(null));
    }

    /** Everything that is known of it. */
    public RowHistory history() {
        return new RowHistory(listed(), tries.stream().map(RowAttempt::rowTry).toList(), said);
    }

    /** What is known of an attempt; null when there is none. */
    @Nullable
    AttemptState state(int generation, int number) {
        return tries.stream()
                .filter(one -> one.is(generation, number))
                .map(one -> one.rowTry().ended().known())
                .findFirst()
                .orElse(null);
    }

    RowDocument with(LedgerRow other) {
        return new RowDocument(id, other, payloads, tries, said);
    }

    /** The same with a payload more. */
    public RowDocument withPayload(int generation, String payload) {
        var more = new TreeMap<>(payloads);
        more.put(generation, payload);
        return new RowDocument(id, row, more, tries, said);
    }

    /** The same with an attempt more. */
    public RowDocument with(RowAttempt rowAttempt) {
        var more = new ArrayList<>(tries);
        more.add(rowAttempt);
        return new RowDocument(id, row, payloads, more, said);
    }

    RowDocument ended(int generation, int number, TryEnd end, @Nullable String result) {
        var same = tries.stream()
                .map(one -> one.is(generation, number)
                        ? new RowAttempt(
                                new RowTry(
                                        generation,
                                        number,
                                        one.rowTry().part(),
                                        one.rowTry().opened(),
                                        known(one, end)),
                                result)
                        : one)
                .toList();
        return new RowDocument(id, row, payloads, same, said);
    }

    /** What it used is not forgotten because somebody else says what became of it. */
    private static TryEnd known(RowAttempt one, TryEnd end) {
        return end.use() != null
                ? end
                : new TryEnd(
                        end.known(),
                        end.because(),
                        end.why(),
                        one.rowTry().ended().use(),
                        end.at());
    }

    /** The same with a word more. */
    public RowDocument with(RowSaid word) {
        var more = new ArrayList<>(said);
        more.add(word);
        return new RowDocument(id, row, payloads, tries, more);
    }

    /** What is left of it when it is pruned. */
    RowDocument pruned() {
        return new RowDocument(id, row, Map.of(), List.of(), List.of());
    }

    /** Whether an attempt of whatever generation is open yet. */
    public boolean isAwaited() {
        return tries.stream().anyMatch(one -> one.rowTry().ended().known() == AttemptState.OPEN);
    }

    /** Whether only key, generation, state and hash are left. */
    public boolean isPruned() {
        return payloads.isEmpty() && tries.isEmpty();
    }
}
