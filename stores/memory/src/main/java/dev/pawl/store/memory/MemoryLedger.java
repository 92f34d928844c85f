package dev.pawl.store.memory;

import dev.pawl.export.StoreKind;
import dev.pawl.export.StoreLine;
import dev.pawl.ledger.LedgerCollection;
import dev.pawl.ledger.LedgerPage;
import dev.pawl.ledger.LedgerPart;
import dev.pawl.ledger.LedgerQuery;
import dev.pawl.ledger.LedgerRow;
import dev.pawl.ledger.ListedRow;
import dev.pawl.ledger.RowCount;
import dev.pawl.ledger.RowHistory;
import dev.pawl.ledger.RowRules;
import dev.pawl.ledger.SentPage;
import dev.pawl.ledger.SentRow;
import dev.pawl.list.Cursor;
import dev.pawl.store.StoreLines;
import dev.pawl.store.document.RowDocument;
import dev.pawl.store.document.RowDocument.RowAttempt;
import dev.pawl.store.document.RowDocument.RowName;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rows that are not jobs. Guarded by the store's lock. */
final class MemoryLedger {
    /** As databases have texts. */
    private static final Comparator<String> BY_KEY =
            Comparator.comparing(key -> key.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final LongSupplier numbers;
    final Map<String, LedgerCollection> collections = new TreeMap<>();
    final Map<RowName, LedgerPart> parts = new HashMap<>();
    final Map<RowName, RowDocument> rows = new TreeMap<>();

    /** By number. */
    private final TreeMap<Long, RowName> rowOrder = new TreeMap<>();

    private final TreeMap<Long, RowName> partOrder = new TreeMap<>();
    private final TreeMap<Long, String> collectionOrder = new TreeMap<>();

    MemoryLedger(LongSupplier numbers) {
        this.numbers = numbers;
    }

    void put(LedgerCollection collection) {
        if (collections.put(collection.name(), collection) == null) {
            collectionOrder.put(numbers.getAsLong(), collection.name());
        }
    }

    void put(RowName name, LedgerPart ledgerPart) {
        if (parts.put(name, ledgerPart) == null) {
            partOrder.put(numbers.getAsLong(), name);
        }
    }

    void put(RowName name, RowDocument row) {
        rows.put(name, row);
        rowOrder.put(row.id(), name);
    }

    private Stream<RowDocument> in(String collection) {
        return rows.entrySet().stream()
                .filter(row -> row.getKey().collection().equals(collection))
                .map(Map.Entry::getValue);
    }

    List<RowName> settled(String collection, Instant changedBefore, int most) {
        return rowOrder.values().stream()
                .filter(name -> name.collection().equals(collection))
                .filter(name -> {
                    var row = Objects.requireNonNull(rows.get(name));
                    return !row.isPruned() && !row.isAwaited() && RowRules.mayBePruned(row.row(), changedBefore);
                })
                .limit(most)
                .toList();
    }

    // ---- looks

    List<RowCount> counts(String collection) {
        return in(collection)
                .map(RowDocument::row)
                .map(row -> new RowCount(
                        row.state(), row.standing().because(), row.standing().dealtWith(), 1))
                .collect(Collectors.groupingBy(count -> count, Collectors.counting()))
                .entrySet()
                .stream()
                .map(same -> new RowCount(
                        same.getKey().state(),
                        same.getKey().because(),
                        same.getKey().dealtWith(),
                        same.getValue()))
                .sorted(Comparator.comparing(RowCount::state)
                        .thenComparing(RowCount::because)
                        .thenComparing(RowCount::dealtWith))
                .toList();
    }

    LedgerPage rows(LedgerQuery rowQuery) {
        var behind = rowQuery.listing().behind().isStart()
                ? 0
                : rowQuery.listing().behind().numbers(1)[0];
        var because = rowQuery.because();
        var byKey = !rowQuery.keyPrefix().isEmpty();
        var last = byKey ? rowOrder.get(behind) : null;
        var found = in(rowQuery.collection())
                .filter(row -> byKey
                        ? row.row().key().startsWith(rowQuery.keyPrefix())
                                && (last == null || BY_KEY.compare(row.row().key(), last.key()) > 0)
                        : row.id() > behind)
                .filter(row -> rowQuery.states().contains(row.row().state())
                        && (because == null
                                || because.equals(row.row().standing().because())))
                .sorted(
                        byKey
                                ? Comparator.comparing(row -> row.row().key(), BY_KEY)
                                : Comparator.comparingLong(RowDocument::id))
                .limit(rowQuery.listing().most() + 1L)
                .toList();
        var most = rowQuery.listing().most();
        var page = found.subList(0, Math.min(most, found.size()));
        return new LedgerPage(
                page.stream()
                        .map(row ->
                                rowQuery.listing().withValues() ? row.listed() : new ListedRow(row.row(), null, null))
                        .toList(),
                found.size() > most ? Cursor.of(page.getLast().id()) : null);
    }

    Optional<RowHistory> row(String collection, String key) {
        return Optional.ofNullable(rows.get(new RowName(collection, key))).map(RowDocument::history);
    }

    List<LedgerPart> parts(String collection, String behind, int most) {
        var ordered = partOrder.values().stream()
                .filter(name -> name.collection().equals(collection))
                .toList();
        var from = ordered.indexOf(new RowName(collection, behind)) + 1;
        return ordered.subList(from, Math.min(from + most, ordered.size())).stream()
                .map(name -> Objects.requireNonNull(parts.get(name)))
                .toList();
    }

    private record SentAt(RowDocument row, RowAttempt rowAttempt) {
        private static final Comparator<SentAt> ORDER = Comparator.comparingLong((SentAt one) -> one.row.id())
                .thenComparingInt(one -> one.rowAttempt.rowTry().generation())
                .thenComparingInt(one -> one.rowAttempt.rowTry().number());

        private long[] position() {
            return new long[] {
                row.id(), rowAttempt.rowTry().generation(), rowAttempt.rowTry().number()
            };
        }

        private SentRow sent() {
            return new SentRow(
                    row.row().key(),
                    rowAttempt.rowTry().generation(),
                    rowAttempt.rowTry().number(),
                    rowAttempt.rowTry().ended().known(),
                    row.payloads().get(rowAttempt.rowTry().generation()));
        }
    }

    SentPage sent(String collection, String part, Cursor behind, int most) {
        var from = behind.isStart() ? new long[] {0, 0, 0} : behind.numbers(3);
        var found = in(collection)
                .flatMap(row -> row.tries().stream()
                        .filter(rowAttempt -> rowAttempt.rowTry().part().equals(part))
                        .map(rowAttempt -> new SentAt(row, rowAttempt)))
                .filter(sent -> isBehind(sent.position(), from))
                .sorted(SentAt.ORDER)
                .limit(most + 1L)
                .toList();
        var page = found.subList(0, Math.min(most, found.size()));
        return new SentPage(
                page.stream().map(SentAt::sent).toList(),
                found.size() > most ? Cursor.of(page.getLast().position()) : null);
    }

    private static boolean isBehind(long[] position, long[] from) {
        for (var i = 0; i < position.length; i++) {
            if (position[i] != from[i]) {
                return position[i] > from[i];
            }
        }
        return false;
    }

    // ---- as lines

    Stream<StoreLine> lines(StoreKind kind) {
        return switch (kind) {
            case COLLECTION ->
                collectionOrder.entrySet().stream()
                        .map(one -> StoreLine.of(
                                kind,
                                one.getKey(),
                                one.getValue(),
                                Objects.requireNonNull(collections.get(one.getValue()))
                                        .number()));
            case PART -> partOrder.entrySet().stream().map(one -> partLine(one.getKey(), one.getValue()));
            case ROW -> rowOrder.values().stream().map(this::rowLine);
            case PAYLOAD ->
                inOrder()
                        .flatMap(row -> new TreeMap<>(row.payloads())
                                .entrySet().stream()
                                        .map(one -> StoreLine.of(kind, row.id(), one.getKey(), one.getValue())));
            case ROW_ATTEMPT ->
                rowOrder.entrySet().stream()
                        .flatMap(one -> Objects.requireNonNull(rows.get(one.getValue())).tries().stream()
                                .map(attempt ->
                                        attemptLine(one.getKey(), one.getValue().collection(), attempt)));
            case ROW_WORD ->
                inOrder()
                        .flatMap(row -> row.said().stream()
                                .map(said -> StoreLine.of(
                                        kind,
                                        row.id(),
                                        said.generation(),
                                        said.at().toEpochMilli(),
                                        said.word(),
                                        said.who(),
                                        said.why())));
            default -> Stream.empty();
        };
    }

    private Stream<RowDocument> inOrder() {
        return rowOrder.values().stream().map(name -> Objects.requireNonNull(rows.get(name)));
    }

    private long number(String collection) {
        return number(collectionOrder, collection);
    }

    private static <T> long number(Map<Long, T> order, T name) {
        return order.entrySet().stream()
                .filter(one -> one.getValue().equals(name))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    private StoreLine partLine(long number, RowName name) {
        var part = Objects.requireNonNull(parts.get(name));
        var seal = part.seal();
        return StoreLine.of(
                StoreKind.PART,
                number,
                number(name.collection()),
                part.name(),
                part.job(),
                part.opened().toEpochMilli(),
                seal == null ? null : seal.rows(),
                seal == null ? null : seal.hash(),
                part.provider());
    }

    private StoreLine rowLine(RowName name) {
        var document = Objects.requireNonNull(rows.get(name));
        var row = document.row();
        return StoreLine.of(
                StoreKind.ROW,
                document.id(),
                number(name.collection()),
                row.key(),
                row.generation(),
                row.payloadHash(),
                row.state().name(),
                row.standing().because(),
                row.standing().dealtWith(),
                row.standing().changed().toEpochMilli(),
                row.tries().made(),
                row.tries().spent(),
                row.tries().openIn() == null
                        ? null
                        : (Long) number(
                                partOrder,
                                new RowName(name.collection(), row.tries().openIn())),
                row.tries().won());
    }

    private StoreLine attemptLine(long row, String collection, RowAttempt rowAttempt) {
        var ended = rowAttempt.rowTry().ended();
        var part = rowAttempt.rowTry().part();
        var at = ended.at();
        return StoreLine.of(
                StoreKind.ROW_ATTEMPT,
                row,
                rowAttempt.rowTry().generation(),
                rowAttempt.rowTry().number(),
                part.isEmpty() ? 0L : (Long) number(partOrder, new RowName(collection, part)),
                rowAttempt.rowTry().opened().toEpochMilli(),
                ended.known().name(),
                ended.because(),
                ended.why(),
                ended.use(),
                rowAttempt.result(),
                at == null ? null : at.toEpochMilli());
    }

    /** Takes in what another store has told; returns the largest number in it. */
    long take(StoreLine line) {
        switch (line.kind()) {
            case COLLECTION -> {
                collections.put(line.text("name"), new LedgerCollection(line.text("name"), line.number("enrolled")));
                collectionOrder.put(line.number("number"), line.text("name"));
                return line.number("number");
            }
            case PART -> {
                var name = new RowName(
                        Objects.requireNonNull(collectionOrder.get(line.number("collection"))), line.text("name"));
                var hash = line.textIfAny("hash");
                parts.put(
                        name,
                        new LedgerPart(
                                name.key(),
                                line.number("job"),
                                line.time("opened"),
                                hash == null ? null : new LedgerPart.PartSeal(line.number("rows"), hash),
                                line.textIfAny("provider")));
                partOrder.put(line.number("number"), name);
                return line.number("number");
            }
            case ROW -> {
                var name = new RowName(
                        Objects.requireNonNull(collectionOrder.get(line.number("collection"))), line.text("key"));
                put(name, new RowDocument(line.number("number"), row(line), Map.of(), List.of(), List.of()));
                return line.number("number");
            }
            case PAYLOAD ->
                replace(line, row -> row.withPayload(Math.toIntExact(line.number("generation")), line.text("payload")));
            case ROW_ATTEMPT ->
                replace(
                        line,
                        row -> row.with(new RowAttempt(
                                new RowHistory.RowTry(
                                        Math.toIntExact(line.number("generation")),
                                        Math.toIntExact(line.number("number")),
                                        line.number("part") == 0
                                                ? ""
                                                : Objects.requireNonNull(partOrder.get(line.number("part")))
                                                        .key(),
                                        line.time("opened"),
                                        StoreLines.rowEnd(line)),
                                line.textIfAny("result"))));
            case ROW_WORD ->
                replace(
                        line,
                        row -> row.with(new RowHistory.RowSaid(
                                Math.toIntExact(line.number("generation")),
                                line.time("at"),
                                line.text("word"),
                                line.text("who"),
                                line.text("why"))));
            default -> throw new IllegalArgumentException(line.kind().word() + " is nothing of the ledger");
        }
        return 0;
    }

    private LedgerRow row(StoreLine line) {
        var part = line.value("part") == null ? null : partOrder.get(line.number("part"));
        return StoreLines.ledgerRow(line, part == null ? null : part.key());
    }

    private interface Replacing {
        RowDocument with(RowDocument row);
    }

    private void replace(StoreLine line, Replacing replacing) {
        var name = rowOrder.get(line.number("row"));
        if (name == null) {
            throw new IllegalArgumentException("a line of kind " + line.kind().word() + " belongs to row "
                    + line.number("row") + ", which is not there");
        }
        rows.put(name, replacing.with(Objects.requireNonNull(rows.get(name))));
    }

    /** The collection of this name; null when there is none. */
    @Nullable
    LedgerCollection collection(String name) {
        return collections.get(name);
    }
}
