package dev.pawl.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.effect.Answer;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.key.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a command wrote is kept once. */
class LogsTest {
    private static final Place STEP = Place.parse("s");
    private static final Place EFFECT = Place.parse("e");

    private static List<JournalLine> journal(Entry... entries) {
        return IntStream.range(0, entries.length)
                .mapToObj(i -> new JournalLine(i + 1, i + 1, 0, Instant.EPOCH, entries[i]))
                .toList();
    }

    private static List<String> texts(List<JournalLine> journal) {
        return journal.stream()
                .map(JournalLine::entry)
                .filter(Entry.Logged.class::isInstance)
                .map(entry -> ((Entry.Logged) entry).text())
                .toList();
    }

    @Test
    void what_says_the_same_as_the_result_letter_by_letter_is_said_by_it() {
        assertThat(Logs.isSaidBy("one\ntwo\n", "\"one\\ntwo\"")).isTrue();
        assertThat(Logs.isSaidBy("{\"a\":1}\n", "{\"a\":1}")).isTrue();
        assertThat(Logs.isSaidBy("{ \"a\": 1 }\n", "{\"a\":1}"))
                .as("written otherwise")
                .isFalse();
        assertThat(Logs.isSaidBy("one\n\n", "\"one\"")).isFalse();
        assertThat(Logs.isSaidBy("and a warning\none\n", "\"one\"")).isFalse();
        assertThat(Logs.isSaidBy("\n", "\"\"")).isFalse();
        var long1 = "x".repeat(Entry.Logged.MOST_CHARS);
        assertThat(Logs.isSaidBy(long1, "\"" + long1 + "\""))
                .as("it may be the end of more")
                .isFalse();
    }

    @Test
    void whoever_reads_a_journal_is_given_it_whole() {
        var journal = journal(
                new Entry.Logged(STEP, 1, "it failed\n"),
                new Entry.Logged(STEP, 2, ""),
                new Entry.StepDone(STEP, "\"one\""),
                new Entry.Answered(EFFECT, 1, new Answer.Happened("{\"a\":1}", true), Answer.Source.WORKER),
                new Entry.Logged(EFFECT, 1, ""),
                new Entry.Logged(EFFECT, 2, ""));
        assertThat(texts(Logs.whole(journal))).containsExactly("it failed\n", "one\n", "{\"a\":1}\n", "");
    }

    @Test
    void a_log_is_given_no_other_attempts_words() {
        var none = new Answer.DidNotHappen(Failure.of(FailureClass.TRANSIENT, "x", "x"));
        var journal = new ArrayList<>(journal(
                new Entry.Logged(EFFECT, 1, ""),
                new Entry.StepDone(STEP, "\"one\""),
                new Entry.Answered(STEP, 1, Answer.happened("\"elsewhere\""), Answer.Source.WORKER),
                new Entry.Answered(EFFECT, 1, none, Answer.Source.WORKER)));
        journal.add(new JournalLine(
                9, 9, 1, Instant.EPOCH, new Entry.Answered(EFFECT, 1, Answer.happened("1"), Answer.Source.WORKER)));
        assertThat(texts(Logs.whole(journal)))
                .as("another run's is not its own")
                .containsExactly("");
    }

    @Test
    void a_result_that_is_nothing_is_written_as_such() {
        assertThat(Logs.isSaidBy("null\n", "null")).isTrue();
        assertThat(Logs.isSaidBy("nonsense\n", "nonsense")).as("no JSON").isTrue();
    }
}
