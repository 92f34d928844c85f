package dev.pawl.command;

import dev.pawl.effect.Answer;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.failure.ProviderSaid;
import dev.pawl.failure.Rejected;
import dev.pawl.failure.ResultNotKept;
import dev.pawl.http.HttpStatus;
import dev.pawl.job.Job;
import dev.pawl.journal.Entry;
import dev.pawl.json.Json;
import dev.pawl.text.Many;
import dev.pawl.time.Durations;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/** Reads what a command that has ended leaves: its log, what it used, its result, and what its exit code means. */
final class ExitReader {
    /** A standard output that is longer is no result: a command that talks a lot has not said what its result is. */
    static final long MOST_RESULT = 1L << 20;

    /** More than a result can have that the engine keeps, four bytes a letter. */
    private static final int MOST_SAID = (16 << 20) + 4;

    /** As much as the engine keeps, in characters. */
    private static final int MOST_KEPT = 4 << 20;

    private static final int MOST_LINE = 300;
    private static final int MOST_SIGNAL = 64;
    private static final Commands.Watcher NOBODY = (identity, meaning, exit, says) -> {};

    private final Folder folder;
    private final CommandCall.Reading reading;
    private final Commands.Watcher watcher;

    ExitReader(Folder folder, CommandCall.Reading reading, Commands.Watcher watcher) {
        this.folder = folder;
        this.reading = reading;
        this.watcher = watcher;
    }

    /** What a step's command has said; throws what its end means. */
    JsonNode ofStep(Job job, Exit exit) throws Exception {
        var end = judged(exit, said(job));
        watcher.ended(job.identity(), end.meaning(), exit, end.says());
        return switch (end.meaning()) {
            case DONE -> stepResult(exit);
            case TRANSIENT, UNKNOWN, IN_DOUBT ->
                throw end.retryAfter() == null
                        ? new CommandFailed(exit, end.says(), end.cause())
                        : new NotSent(end.says(), end.retryAfter(), end.cause());
            case PERMANENT -> throw new PermanentFailure(end.says(), end.cause());
            case ACCOUNT -> throw new AccountTrouble(end.says(), end.cause());
        };
    }

    /** What was said and cannot be kept is a failure of a step; where the disk is to blame, another attempt may do better. */
    private JsonNode stepResult(Exit exit) throws Exception {
        try {
            return result(exit);
        } catch (ResultNotKept notKept) {
            var why = String.valueOf(notKept.getMessage());
            throw lost(exit) == null ? new PermanentFailure(why) : new CommandFailed(exit, why);
        }
    }

    /** What an effect's command has said; throws what its end means. */
    JsonNode ofEffect(Job job, Exit exit) throws Exception {
        var end = judged(exit, said(job));
        watcher.ended(job.identity(), end.meaning(), exit, end.says());
        return switch (end.ofEffect()) {
            case DONE -> result(exit);
            case TRANSIENT -> throw new NotSent(end.says(), end.retryAfter(), end.cause());
            case PERMANENT -> throw new Rejected(end.says(), end.cause());
            case ACCOUNT -> throw new AccountTrouble(end.says(), end.cause());
            case IN_DOUBT -> throw new CommandFailed(exit, end.says(), end.cause());
            case UNKNOWN ->
                throw new CommandFailed(
                        exit,
                        end.says() + "; if exit " + exit.code()
                                + " means that nothing happened, teach it: exit: {" + exit.code()
                                + ": transient} in a flow, --exit " + exit.code() + "=transient on the command line");
        };
    }

    /**
     * What an end means, by its exit code and by what the command says beyond it.
     *
     * @param says that in a sentence
     * @param more what it says beyond its exit code; null when that is nothing
     */
    private record Judged(
            Meaning meaning, String says, @Nullable FailureFile more) {
        /** Of an effect: after such a status nobody knows whether it happened, whatever the command makes of it. */
        private Meaning ofEffect() {
            return more != null
                            && more.status() != null
                            && HttpStatus.failureClass(more.status()).mayHaveHappened()
                    ? Meaning.IN_DOUBT
                    : meaning;
        }

        private @Nullable Duration retryAfter() {
            return more == null ? null : more.retryAfter();
        }

        private @Nullable ProviderSaid cause() {
            return more == null || (more.status() == null && more.provider() == null && more.retryAfter() == null)
                    ? null
                    : new ProviderSaid(more.status(), more.provider(), more.retryAfter());
        }
    }

    /** A command that ended by itself and did not succeed may say more than a code; it does not overrule a signal, a time-out or a success. */
    private Judged judged(Exit exit, String lastLine) throws IOException {
        var meaning = Meaning.of(exit, reading.taught());
        var says = sentence(exit, lastLine);
        if (meaning == Meaning.DONE || exit.timedOut() || exit.code() <= 0 || exit.code() >= Meaning.SIGNALS) {
            return new Judged(meaning, says, null);
        }
        try {
            var more = FailureFile.in(folder.failure(), reading.secrets());
            if (more == null) {
                return new Judged(meaning, says, null);
            }
            var who = (more.provider() == null ? "" : more.provider() + " ")
                    + (more.status() == null ? "" : "said " + more.status());
            var told = List.of(who.strip(), more.why()).stream()
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining(": "));
            return new Judged(more.meaning(), told.isEmpty() ? says : "exit " + exit.code() + ": " + told, more);
        } catch (FailureFile.Wrong wrong) {
            return new Judged(
                    meaning, says + "; what it wrote to PAWL_FAILURE is not believed: " + wrong.getMessage(), null);
        }
    }

    /** What a folder knows of an effect's attempt that nobody asks for; null when it knows nothing for sure. */
    static @Nullable Answer known(Folder folder) throws IOException {
        return switch (folder.look()) {
            case Folder.Sight.Abandoned ignored -> didNotHappen(FailureClass.TRANSIENT, "it was never started", null);
            case Folder.Sight.Ended ended ->
                new ExitReader(folder, folder.reading(secretsOf(folder)), NOBODY)
                        .answer(ended.exit(), !canMask(folder));
            case Folder.Sight.Absent ignored -> null;
            case Folder.Sight.Prepared ignored -> null;
            case Folder.Sight.Running ignored -> null;
            case Folder.Sight.Lost ignored -> {
                folder.maskAll(secretsOf(folder));
                yield null;
            }
        };
    }

    /** As far as they are known here. */
    private static Secrets secretsOf(Folder folder) throws IOException {
        var values = new HashMap<String, String>();
        for (var name : folder.secrets()) {
            values.put(name, System.getenv().getOrDefault(name, ""));
        }
        return Secrets.named(values);
    }

    /** What an end says of an effect's attempt; null when nobody knows. */
    private @Nullable Answer answer(Exit exit, boolean cannotMask) throws IOException {
        var end = judged(exit, cannotMask ? "" : lastLine(reading.secrets().masked(written())));
        var says = cannotMask ? sentence(exit, "") : end.says();
        var failed = end.ofEffect().ofEffect();
        if (failed == null) {
            return cannotMask
                    ? Answer.notKept("its secrets are not known here, so its result cannot be masked")
                    : happened(exit);
        }
        if (failed.mayHaveHappened()) {
            return null;
        }
        var again = failed.nextMove() == FailureClass.NextMove.TRY_AGAIN;
        return didNotHappen(failed, says, again ? end.retryAfter() : null);
    }

    private Answer happened(Exit exit) throws IOException {
        try {
            var json = Json.write(result(exit));
            return json.length() <= MOST_KEPT ? Answer.happened(json) : Answer.notKept("its result is too long");
        } catch (ResultNotKept notKept) {
            return Answer.notKept(String.valueOf(notKept.getMessage()));
        }
    }

    private static Answer didNotHappen(FailureClass kind, String says, @Nullable Duration retryAfter) {
        return new Answer.DidNotHappen(new Failure(kind, "exit", says, retryAfter));
    }

    /** The last that it wrote, kept with its attempt, and what it used. Returns its last line. */
    private String said(Job job) throws IOException {
        var log = reading.secrets().masked(written());
        if (!log.isEmpty()) {
            job.log(log);
        }
        UsageFile.in(folder.usage(), reading.secrets()).forEach(job::use);
        return lastLine(log);
    }

    /** Keeps the last that it wrote with its attempt, where nobody knows how it ended. */
    void keepLog(Job job) {
        var log = reading.secrets().masked(written());
        if (!log.isEmpty()) {
            job.log(log);
        }
    }

    /** The last that a command wrote, masked; empty when a secret is not known here. */
    static String written(Folder folder) throws IOException {
        return canMask(folder)
                ? secretsOf(folder).masked(new ExitReader(folder, CommandCall.Reading.USUAL, NOBODY).written())
                : "";
    }

    private static boolean canMask(Folder folder) throws IOException {
        return folder.isMasked()
                || folder.secrets().stream()
                        .noneMatch(
                                name -> System.getenv().getOrDefault(name, "").isEmpty());
    }

    private static String lastLine(String log) {
        var last = log.strip();
        last = last.substring(last.lastIndexOf('\n') + 1).replaceAll("\\p{Cc}", " ");
        return last.length() > MOST_LINE ? last.substring(0, MOST_LINE) + "…" : last;
    }

    /** What is for people alone is not worth a doubt. */
    private String written() {
        try {
            return tail(folder.log());
        } catch (IOException e) {
            return "";
        }
    }

    /** How it ended, with its last line. */
    String sentence(Exit exit) {
        return sentence(exit, lastLine(reading.secrets().masked(written())));
    }

    private static String sentence(Exit exit, String said) {
        var what = new StringBuilder();
        if (exit.code() == Exit.NOT_STARTED) {
            what.append("it could not be started");
        } else if (exit.timedOut()) {
            what.append("it was ended because its time was up, after ").append(Durations.text(exit.took()));
        } else if (exit.code() > Meaning.SIGNALS && exit.code() <= Meaning.SIGNALS + MOST_SIGNAL) {
            what.append("exit ").append(exit.code()).append(", or signal ").append(exit.code() - Meaning.SIGNALS);
        } else {
            what.append("exit ").append(exit.code());
        }
        if (exit.trouble() != null) {
            what.append("; ").append(exit.trouble());
        }
        return said.isEmpty() ? what.toString() : what + ": " + said;
    }

    /**
     * What it wrote as its result, else its standard output: JSON if it reads as such, else text; JSON null when there is none.
     *
     * @throws ResultNotKept when it has said something that is not there, or too much to be kept
     */
    JsonNode result(Exit exit) throws IOException, ResultNotKept {
        if (!reading.wantsResult()) {
            return NullNode.getInstance();
        }
        var text = beginning(folder.result());
        return MaskedJson.read(text.isEmpty() ? output(exit) : text, reading.secrets());
    }

    private String output(Exit exit) throws IOException, ResultNotKept {
        if (exit.output() > MOST_RESULT) {
            throw new ResultNotKept("it wrote " + exit.output() + " bytes to its standard output, and a result that is"
                    + " read from there has at most " + MOST_RESULT
                    + ": let it write its result to the file PAWL_RESULT, or send what is no result to /dev/null");
        }
        var lost = lost(exit);
        if (lost != null) {
            throw new ResultNotKept(lost);
        }
        return text(folder.output());
    }

    /** What became of its standard output where that is not all there; null when it is. */
    private @Nullable String lost(Exit exit) throws IOException {
        if (exit.output() > MOST_RESULT) {
            return null;
        }
        var there = Files.isRegularFile(folder.output()) ? Files.size(folder.output()) : 0;
        return there >= exit.output()
                ? null
                : "it wrote " + Many.of(exit.output(), "byte") + " to its standard output, of which "
                        + Many.of(there, "is", "are") + " there"
                        + (exit.trouble() == null ? "" : "; " + exit.trouble());
    }

    private static String text(Path file) throws IOException {
        return Files.isRegularFile(file) && Files.size(file) <= 4 * MOST_RESULT
                ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                : "";
    }

    /** As much as tells that a result is longer than any that is kept: what was said on purpose is never taken for nothing. */
    private static String beginning(Path file) throws IOException, ResultNotKept {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return "";
        }
        if (!Files.isRegularFile(file)) {
            throw new ResultNotKept("what it left in the place of PAWL_RESULT is no file that can be read");
        }
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MOST_SAID), StandardCharsets.UTF_8);
        }
    }

    private static String tail(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return "";
        }
        try (var log = new RandomAccessFile(file.toFile(), "r")) {
            var from = Math.max(0, log.length() - 2L * Entry.Logged.MOST_CHARS);
            var bytes = new byte[(int) (log.length() - from)];
            log.seek(from);
            log.readFully(bytes);
            var text = new String(bytes, StandardCharsets.UTF_8);
            // Half a line may begin with half a secret, which no mask would find.
            return from == 0 ? text : text.substring(text.indexOf('\n') + 1);
        } catch (FileNotFoundException e) {
            return "";
        }
    }
}
