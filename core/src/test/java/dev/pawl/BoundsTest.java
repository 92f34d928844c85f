package dev.pawl;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.pawl.cost.Use;
import dev.pawl.decision.Audit;
import dev.pawl.effect.Contract;
import dev.pawl.effect.Verification;
import dev.pawl.gate.Gate;
import dev.pawl.gate.Rate;
import dev.pawl.job.Finding;
import dev.pawl.job.Handling;
import dev.pawl.job.Named;
import dev.pawl.job.Rhythm;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Message;
import dev.pawl.journal.Turn;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.ledger.LedgerPart;
import dev.pawl.ledger.LedgerQuery;
import dev.pawl.ledger.PartSending;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowRef;
import dev.pawl.ledger.RowWord;
import dev.pawl.look.JobQuery;
import dev.pawl.retry.Retry;
import dev.pawl.store.Change;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What comes from outside is bounded: one step over each bound is refused, with a sentence that says what is allowed. */
class BoundsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration YEARS = Duration.ofDays(4_000);

    private static Arguments refused(String says, ThrowingCallable made) {
        return arguments(says, made);
    }

    private static Use use(String model, int toolCalls) {
        return new Use(model, Use.Tokens.NONE, toolCalls, false, null);
    }

    static Stream<Arguments> bounds() {
        var long201 = "x".repeat(201);
        return Stream.of(
                refused("attempts are 1 to 1,000", () -> new Retry(0, SECOND, SECOND)),
                refused("attempts are 1 to 1,000", () -> new Retry(1_001, SECOND, SECOND)),
                refused("a backoff", () -> new Retry(1, SECOND.negated(), SECOND)),
                refused("a backoff", () -> new Retry(1, SECOND, Duration.ZERO)),
                refused("a backoff", () -> new Retry(1, SECOND, YEARS)),
                refused("a limit's key", () -> new Handling.Lane("", 1)),
                refused("a limit's key", () -> new Handling.Lane(long201, 1)),
                refused("a limit is 1 to 10,000", () -> new Handling.Lane("k", 0)),
                refused("a limit is 1 to 10,000", () -> new Handling.Lane("k", 10_001)),
                refused("a principal is", () -> Handling.checkPrincipal(" ")),
                refused("a principal is", () -> Handling.checkPrincipal(long201)),
                refused("a principal is", () -> Handling.checkPrincipal("a\nb")),
                refused("a time-out", () -> Named.named("n").timeout(Duration.ZERO)),
                refused("a time-out", () -> Named.named("n").timeout(YEARS)),
                refused("at least one attempt", () -> Named.named("n").attempts(0)),
                refused("1 to 1,000 items", () -> Named.named("n").atOnce(0)),
                refused("1 to 1,000 items", () -> Named.named("n").atOnce(1_001)),
                refused("has a name", () -> Named.named("").place("")),
                refused("say who decides", () -> new Audit(" ", "why")),
                refused("say why", () -> new Audit("who", " ")),
                refused("1 to 16 parts", () -> new Key(Collections.nCopies(17, "p"))),
                refused("an item key has at most", () -> new Place("", "n", "x".repeat(513))),
                refused("nested too deeply", () -> new Place("x".repeat(4_097), "n", "")),
                refused("ask again within 30 days", () -> Verification.askAgain(SECOND.negated())),
                refused("ask again within 30 days", () -> Verification.askAgain(Duration.ofDays(31))),
                refused("is not idempotent", () -> Contract.idempotent(Duration.ZERO)),
                refused("is not idempotent", () -> Contract.idempotent(YEARS)),
                refused("a settle time", () -> Contract.none().settle(SECOND.negated())),
                refused("a settle time", () -> Contract.none().settle(YEARS)),
                refused("entries in one go", () -> Changes.owned(1, -1)),
                refused("entries in one go", () -> Changes.owned(1, Changes.MOST_PER_FENCE)),
                refused("looks are a second apart", () -> Rhythm.every(Duration.ofMillis(999), Duration.ofMinutes(1))),
                refused("looks are a second apart", () -> Rhythm.every(Duration.ofMinutes(2), Duration.ofMinutes(1))),
                refused("looks are a second apart", () -> Rhythm.every(Duration.ofMinutes(2), Duration.ofDays(8))),
                refused("say what a person has to do", () -> Finding.needs(" ")),
                refused("a tool call names", () -> new Turn.ToolCall("1", " ", "{}")),
                refused(
                        "a turn has at most",
                        () -> new Turn(
                                "assistant",
                                "",
                                Collections.nCopies(1_001, new Turn.ToolCall("1", "t", "{}")),
                                null,
                                null)),
                refused("a role has", () -> new Turn(" ", "text")),
                refused("a role has", () -> new Turn("r".repeat(101), "text")),
                refused("id", () -> new Message("", Message.Kind.SIGNAL, "n", "1")),
                refused("id", () -> new Message(long201, Message.Kind.SIGNAL, "n", "1")),
                refused("a queue runs 1 to", () -> new Change.LimitQueue("q", 0)),
                refused("a queue runs 1 to", () -> new Change.LimitQueue("q", 1_000_001)),
                refused("a page has", () -> JobQuery.all().most(0)),
                refused("a page has", () -> JobQuery.all().most(1_001)),
                refused("tokens are not negative", () -> new Use.Tokens(-1, 0, 0)),
                refused("tokens are not negative", () -> new Use.Tokens(0, -1, 0)),
                refused("tokens are not negative", () -> new Use.Tokens(0, 0, -1)),
                refused("tokens are not negative", () -> new Use.Tokens(1, 0, 2)),
                refused("tokens are not negative", () -> new Use.Tokens(3, 0, 2, 2)),
                refused("tokens are not negative", () -> new Use.Tokens(3, 0, 2, -1)),
                refused("tokens are not negative", () -> new Use.Tokens(1L << 41, 0, 0)),
                refused("tokens are not negative", () -> new Use.Tokens(0, 1L << 41, 0)),
                refused("a model has a name", () -> use(" ", 0)),
                refused("a model has a name", () -> use(long201, 0)),
                refused("tool calls", () -> use("m", -1)),
                refused("a gate has a name", () -> Gate.Wish.toJoin(" ")),
                refused("a gate has a name", () -> Gate.Wish.toJoin("g".repeat(2_001))),
                refused("a rate is", () -> new Rate("g", 0, SECOND)),
                refused("a rate is", () -> new Rate("g", 1, Duration.ZERO)),
                refused("a rate is", () -> new Rate("g", 1, YEARS)),
                refused("a question has at most", () -> Finding.needs("x".repeat(4_001))),
                refused("a traceparent is", () -> Handling.usual().traceparent("00-nothing")),
                refused("a part's name", () -> LedgerPart.checkName("a\nb")),
                refused("a page has 1 to 1,000 rows", () -> LedgerQuery.of("c").most(0)),
                refused("a page has 1 to 1,000 rows", () -> LedgerQuery.of("c").most(1_001)),
                refused(
                        "1 to 1,000 rows are sent",
                        () -> new PartSending("c", "p", Collections.nCopies(1_001, new RowRef("k", 1)), 1)),
                refused(
                        "one change has 1 to 1000 rows",
                        () -> new Change.SayOfRows("c", List.of(), new RowWord.Drop(), new Audit("anna", "no"))),
                refused(
                        "the class of a row's failure",
                        () -> new RowAnswer.RowEnding.RowFailed("c".repeat(65), "why", false, true)));
    }

    @ParameterizedTest
    @MethodSource("bounds")
    void one_step_over_a_bound_is_refused(String says, ThrowingCallable made) {
        assertThatThrownBy(made)
                .isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class)
                .hasMessageContaining(says);
    }
}
