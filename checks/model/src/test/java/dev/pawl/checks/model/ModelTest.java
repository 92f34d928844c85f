package dev.pawl.checks.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.checks.simulation.Stories;
import dev.pawl.store.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The model has the code's words, the code's nights are behaviours of it, its promises hold, and a promise that is too strong does not. */
class ModelTest {
    private static final Pattern ACTION = Pattern.compile("(?m)^(\\w+)(?:\\([^)]*\\))? ==");

    /** What happens outside the store. */
    private static final Set<String> OUTSIDE =
            Set.of("Claim", "Watch", "Check", "Stop", "Send", "Land", "Vanish", "GiveUp", "Crash", "Freeze", "Thaw");

    @TempDir
    Path folder;

    /** The operators that appear in the definition of Next, of Stutter, or of what these are made of. */
    private static Set<String> actions() throws IOException {
        var text = Model.text();
        var actions = new TreeSet<String>();
        for (var group : Set.of("Next", "Stutter", "Worker", "Owner", "Attempt", "Person")) {
            var from = Pattern.compile("(?m)^" + group + "(\\(.*\\))? ==").matcher(text);
            assertThat(from.find()).as(group).isTrue();
            var to = text.indexOf("\n\n", from.end());
            var words = Pattern.compile("\\b([A-Z]\\w+)\\b").matcher(text.substring(from.end(), to));
            while (words.find()) {
                actions.add(words.group(1));
            }
        }
        var defined = new TreeSet<String>();
        var definitions = ACTION.matcher(text);
        while (definitions.find()) {
            defined.add(definitions.group(1));
        }
        actions.retainAll(defined);
        actions.removeAll(
                Set.of("Worker", "Owner", "Attempt", "Person", "InDoubt", "Finished", "GoesOn", "Answered", "Fewer"));
        return actions;
    }

    private static Stream<Class<?>> leaves(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(ModelTest::leaves)
                : Stream.of(type);
    }

    @Test
    void the_models_actions_are_called_like_the_changes_of_the_code() throws IOException {
        var changes =
                new TreeSet<>(leaves(Change.class).map(Class::getSimpleName).toList());
        // The model has no times, and no money.
        changes.removeAll(Set.of("MendTimes", "KeepPrices"));
        // What has nothing to do with jobs has a model of its own.
        var ofLedger = leaves(Change.OfLedger.class).map(Class::getSimpleName).toList();
        for (var change : ofLedger) {
            assertThat(Model.text("Ledger")).containsPattern("(?m)^" + change + "(\\(.*\\))? ==");
        }
        changes.removeAll(ofLedger);
        var actions = actions();
        actions.removeAll(OUTSIDE);
        if (actions.remove("Decides")) {
            actions.add("Decide");
        }
        if (actions.remove("Intends")) {
            actions.add("IntendEffectIfOwned");
        }
        assertThat(actions).isEqualTo(changes);
    }

    @Test
    void nights_of_the_simulation_are_behaviours_of_the_model() throws IOException, InterruptedException {
        var stories = Stories.first(8);
        stories.write(folder.resolve("Stories.tla"));
        var answer = new Model(folder).ask(Question.replay());
        assertThat(answer.expectedBy(Question.replay())).as(answer.output()).isTrue();
        assertThat(stories.actions()).containsKeys("TakeOver", "AnswerAttempt", "Ask", "Decide", "FinishJob");
    }

    @Test
    void a_night_that_did_not_happen_is_not_a_behaviour() throws IOException, InterruptedException {
        var stories = Stories.first(1);
        var file = folder.resolve("Stories.tla");
        stories.write(file);
        var text = Files.readString(file);
        Files.writeString(
                file,
                text.replaceFirst("do \\|-> \"FinishJob\", fence \\|-> \\d+", "do |-> \"FinishJob\", fence |-> 77"));
        var answer = new Model(folder).ask(Question.replay());
        assertThat(answer.output()).contains("Deadlock reached");
        assertThat(answer.expectedBy(Question.replay())).isFalse();
    }

    @Test
    void every_promise_holds_in_a_small_model() throws IOException, InterruptedException {
        var question = Question.safety("small", Size.TINY);
        var answer = new Model(folder).ask(question);
        assertThat(answer.expectedBy(question)).as(answer.output()).isTrue();
        assertThat(answer.states()).isGreaterThan(1_000);
    }

    @Test
    void what_a_job_began_elsewhere_is_ended_there_and_a_mistake_leaves_it_going_on()
            throws IOException, InterruptedException {
        for (var question : List.of(Question.owing(Size.CALLED_OFF), Question.leftGoingOn(Size.CALLED_OFF))) {
            var answer = new Model(folder).ask(question);
            assertThat(answer.expectedBy(question)).as(answer.output()).isTrue();
        }
    }

    @Test
    void every_promise_of_the_ledger_holds_and_mistakes_break_them() throws IOException, InterruptedException {
        for (var question : List.of(
                Question.ledger(LedgerMistake.NONE, 2, ""),
                Question.ledger(LedgerMistake.NO_FENCE, 2, "OnlyOwnersSend"),
                Question.ledger(LedgerMistake.NO_GENERATION, 2, "NothingMadeUp"))) {
            var answer = new Model(folder).ask(question);
            assertThat(answer.expectedBy(question)).as(answer.output()).isTrue();
        }
    }

    @Test
    void a_promise_that_is_too_strong_is_broken() throws IOException, InterruptedException {
        var question = Question.neverTwice(Size.TINY);
        var answer = new Model(folder).ask(question);
        assertThat(answer.expectedBy(question)).as(answer.output()).isTrue();
    }
}
