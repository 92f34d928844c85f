package dev.pawl.checks.model;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the model checker is asked.
 *
 * @param name for people
 * @param module which module is explored
 * @param config its configuration
 * @param breaks which promise must turn out to be broken; empty when none may
 */
public record Question(String name, String module, String config, String breaks) {
    /** A mistake in the model. */
    private enum Planted {
        NOTHING,
        NO_FENCE,
        IMPATIENCE,
        SILENCE,
        UNTOLD,
        BLIND_INTENT,
        LEFT_GOING_ON
    }

    private static final List<String> PROMISES = List.of(
            "TypeOK",
            "OneOwner",
            "DoubtSticks",
            "NothingMadeUp",
            "NothingLost",
            "FencesGrow",
            "NoSilentRepeat",
            "RepeatsAreReported",
            "NothingGoesOn");

    /** Whether all promises hold in every state. */
    static Question safety(String name, Size size) {
        return new Question(
                name,
                "Explore",
                constants(size, Planted.NOTHING) + alike() + promises(PROMISES) + "PROPERTY FinishedStaysFinished\n",
                "");
    }

    /** Whether every job is done at last. */
    static Question liveness(Size size) {
        return new Question(
                "every job is done at last",
                "Explore",
                constants(size, Planted.NOTHING).replace("SPECIFICATION Spec", "SPECIFICATION LiveSpec")
                        + "PROPERTY EveryJobIsDone\n",
                "");
    }

    /** Never twice, whatever freezes: too much to ask, and known to be. */
    static Question neverTwice(Size size) {
        return new Question(
                "a promise that is too strong",
                "Explore",
                constants(size, Planted.NOTHING) + alike() + promises(List.of("NeverTwice")),
                "NeverTwice");
    }

    /** A mistake that must break {@code promise}. */
    private static Question planted(String name, Size size, Planted mistake, String promise) {
        return new Question(name, "Explore", constants(size, mistake) + alike() + promises(PROMISES), promise);
    }

    /** The fence is not checked. */
    static Question withoutFence(Size size) {
        return planted("without a fence", size, Planted.NO_FENCE, "FencesGrow");
    }

    /** "Did not happen" is believed at once. */
    static Question impatient(Size size) {
        return planted("\"did not happen\" believed too early", size, Planted.IMPATIENCE, "NoSilentRepeat");
    }

    /** A late one is reported only when another is known to have happened. */
    static Question silent(Size size) {
        return planted("a late one not reported", size, Planted.SILENCE, "RepeatsAreReported");
    }

    /** Whoever sent late and heard nothing says nothing. */
    static Question untold(Size size) {
        return planted("a late one whose answer nobody heard, not told", size, Planted.UNTOLD, "RepeatsAreReported");
    }

    /** An owner begins another attempt although one is in doubt that it took for settled. */
    static Question blind(Size size) {
        return planted("another attempt begun beside one in doubt", size, Planted.BLIND_INTENT, "NoSilentRepeat");
    }

    /** Whether what a job began elsewhere is ended there before the job ends. */
    static Question owing(Size size) {
        return new Question(
                "what a job began elsewhere is ended there",
                "Explore",
                owing(constants(size, Planted.NOTHING)) + alike() + promises(PROMISES),
                "");
    }

    /** A job that was called off ends although something that it began goes on. */
    static Question leftGoingOn(Size size) {
        return new Question(
                "what a job began elsewhere, left going on",
                "Explore",
                owing(constants(size, Planted.LEFT_GOING_ON)) + alike() + promises(PROMISES),
                "NothingGoesOn");
    }

    private static String owing(String constants) {
        return constants
                .replace("Places = {p}", "Places = {p, e}")
                .replace("Begins = {}", "Begins = {p}")
                .replace("Ends = {}", "Ends = {e}");
    }

    /** Whether the stories beside it are behaviours of the model. */
    static Question replay() {
        return new Question("nights of the simulation, replayed", "Replay", """
                SPECIFICATION ReplaySpec
                CONSTANTS
                    Workers <- AllWorkers
                    Jobs <- AllJobs
                    Places <- AllPlaces
                    Contracts = {{}, {"remembers"}, {"tells"}, {"remembers", "tells"}}
                    Begins = {}
                    Ends = {}
                    Nobody = 0
                    MostAttempts = 1000
                    MostAttemptsTogether = 1000
                    MostResubmissions = 3
                    FirstOfJobs = "NONE"
                    FirstOfWorkers = "NEW"
                    Crashes = 0
                    Zombies = 0
                    Wishes = 100000
                    FenceIsChecked = TRUE
                    LookIsPatient = TRUE
                    DoubtIsChecked = TRUE
                    DebtIsChecked = TRUE
                    LateIsTold = TRUE
                    RoomIsReported = TRUE
                    LifeMatters = FALSE
                INVARIANTS TypeOK OneOwner DoubtSticks NothingMadeUp FencesGrow NoSilentRepeat
                CHECK_DEADLOCK TRUE
                """, "");
    }

    /**
     * Whether the promises of the ledger hold; with a mistake in it {@code breaks} must be broken.
     *
     * @param tries so many attempts of a generation
     */
    static Question ledger(LedgerMistake mistake, int tries, String breaks) {
        return new Question(
                "the ledger"
                        + (breaks.isEmpty()
                                ? ""
                                : ", " + mistake.name().toLowerCase(Locale.ROOT).replace('_', ' ')),
                "Ledger",
                """
                SPECIFICATION Spec
                CONSTANTS
                    Senders = {s1, s2}
                    Nobody = Nobody
                    MostGenerations = 2
                    MostTries = %d
                    MostSpent = 2
                    FenceIsChecked = %s
                    GenerationIsChecked = %s
                    FinishedStays = %s
                INVARIANTS TypeOK OneOpen NothingMadeUp Bounded PaidTwiceIsTold
                PROPERTIES SucceededStays OnlyOwnersSend
                CHECK_DEADLOCK FALSE
                """.formatted(
                                tries,
                                tla(mistake != LedgerMistake.NO_FENCE),
                                tla(mistake != LedgerMistake.NO_GENERATION),
                                tla(mistake != LedgerMistake.MOVES_BACK)),
                breaks);
    }

    private static String constants(Size size, Planted planted) {
        var bounds = size.bounds();
        return """
                SPECIFICATION Spec
                CONSTANTS
                    Workers = {%s}
                    Jobs = {%s}
                    Places = {p}
                    Contracts <- AllContracts
                    Begins = {}
                    Ends = {}
                    Nobody = Nobody
                    MostAttempts = %d
                    MostAttemptsTogether = %d
                    MostResubmissions = %d
                    FirstOfJobs = "%s"
                    FirstOfWorkers = "%s"
                    Crashes = %d
                    Zombies = %d
                    Wishes = %d
                    FenceIsChecked = %s
                    LookIsPatient = %s
                    DoubtIsChecked = %s
                    DebtIsChecked = %s
                    LateIsTold = %s
                    RoomIsReported = %s
                    LifeMatters = TRUE
                CHECK_DEADLOCK FALSE
                CONSTRAINT NotTooMany
                """.formatted(
                        names("w", size.workers()),
                        names("j", size.jobs()),
                        bounds.attempts(),
                        bounds.together(),
                        bounds.resubmissions(),
                        bounds.fromTheStart() ? "NONE" : "READY",
                        bounds.fromTheStart() ? "NEW" : "ENLISTED",
                        size.crashes(),
                        size.zombies(),
                        size.wishes(),
                        tla(planted != Planted.NO_FENCE),
                        tla(planted != Planted.IMPATIENCE),
                        tla(planted != Planted.BLIND_INTENT),
                        tla(planted != Planted.LEFT_GOING_ON),
                        tla(planted != Planted.UNTOLD),
                        tla(planted != Planted.SILENCE));
    }

    private static String alike() {
        return "VIEW SameToExplore\nSYMMETRY Alike\n";
    }

    private static String promises(List<String> promises) {
        return "INVARIANTS " + String.join(" ", promises) + "\n";
    }

    private static String names(String letter, int many) {
        return IntStream.rangeClosed(1, many).mapToObj(i -> letter + i).collect(Collectors.joining(", "));
    }

    private static String tla(boolean value) {
        return value ? "TRUE" : "FALSE";
    }
}
