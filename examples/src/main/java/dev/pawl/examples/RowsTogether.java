package dev.pawl.examples;

import static dev.pawl.job.Named.named;

import dev.pawl.Pawl;
import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.ledger.LedgerPart.PartSeal;
import dev.pawl.ledger.LedgerQuery;
import dev.pawl.ledger.PartSealing;
import dev.pawl.ledger.PartSending;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowAnswer.RowEnding;
import dev.pawl.ledger.RowRef;
import dev.pawl.list.Cursor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rows that are not jobs: enrolled once, sent together by a job, answered one by one when somebody learns what became of them. */
public final class RowsTogether {
    private static final int MOST_ATTEMPTS = 3;
    private static final Workflow<String, Integer> RUN = Workflow.named("label-run", String.class, Integer.class);

    private final Pawl pawl;

    private RowsTogether(Pawl pawl) {
        this.pawl = pawl;
    }

    /** Composes one part. Begun anew after a crash, it sends nothing twice: what was sent is in the journal's own commit. */
    int send(Job job, String part) {
        var rows = pawl.ledger("reviews").rows(LedgerQuery.of("reviews").most(1_000)).rows().stream()
                .map(row -> RowRef.of(row.row()))
                .toList();
        job.sendRows(named("send"), new PartSending("reviews", part, rows, MOST_ATTEMPTS));
        var sent = pawl.ledger("reviews").sent(part, Cursor.START, 1_000).rows().size();
        job.sealPart(named("seal"), new PartSealing("reviews", part, new PartSeal(sent, "over what was sent")));
        return sent;
    }

    /** Sends three rows, answers two of them, and tells how all stand. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            var rows = new LinkedHashMap<Key, Map<String, String>>();
            rows.put(Key.of("r1"), Map.of("text", "lovely"));
            rows.put(Key.of("r2"), Map.of("text", "awful"));
            rows.put(Key.of("r3"), Map.of("text", "it is a chair"));
            var reviews = pawl.ledger("reviews");
            System.out.println(reviews.enrol(rows, false));
            pawl.work(RUN.implementedBy(new RowsTogether(pawl)::send));
            System.out.println(pawl.submit(RUN, Key.of("1.1"), "1.1").join() + " rows were sent");
            for (var row : reviews.sent("1.1", Cursor.START, 1_000).rows()) {
                var ending = row.key().equals("r2")
                        ? new RowEnding.RowFailed("blocked", "by the provider's filter", true, true)
                        : new RowEnding.RowSucceeded("\"fine\"");
                var answer = new RowAnswer(row.key(), row.generation(), row.attempt(), ending, null);
                System.out.println(row.key() + " " + reviews.answer(List.of(answer), MOST_ATTEMPTS));
            }
            System.out.println(reviews.enrol(rows, false));
            reviews.counts()
                    .forEach(count -> System.out.println(count.state() + " " + count.because() + " " + count.many()));
        }
    }
}
