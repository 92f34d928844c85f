package dev.pawl.gate;

import dev.pawl.decision.Audit;
import dev.pawl.text.LocalTimeText;
import dev.pawl.text.Many;
import dev.pawl.text.ShellWord;
import dev.pawl.text.Visible;
import dev.pawl.text.WithoutPasswords;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where jobs wait together for something that is nobody's fault.
 *
 * @param name what tells it from all others, as {@link GateNames} has them: {@code account/essay}
 * @param cause why it closes
 * @param closing how it is closed now; null while it is open
 * @param closings how often it was closed
 * @param raised how often a person allowed more
 * @param openings by whom it was opened, and why, in order
 */
public record Gate(
        String name, Cause cause, @Nullable Closing closing, long closings, Raised raised, List<Opening> openings) {
    private static final int MOST_CHARS = 2_000;

    public Gate {
        openings = List.copyOf(openings);
    }

    /** A gate that is closed for the first time. */
    public static Gate closed(String name, Cause cause, Closing closing) {
        return new Gate(name, cause, closing, 1, Raised.NEVER, List.of());
    }

    /** The same, closed once more. */
    public Gate closedAgain(Cause why, Closing again) {
        return new Gate(name, why, again, closings + 1, raised, openings);
    }

    /** The same, of which somebody says better since when it is closed, and until when. */
    public Gate closed(Closing better) {
        return new Gate(name, cause, better, closings, raised, openings);
    }

    /** The same, open. */
    public Gate open() {
        return new Gate(name, cause, null, closings, raised, openings);
    }

    /** The same, opened by a person; {@code anew} when what they allowed on earlier days no longer counts. */
    public Gate openedBy(Audit audit, Instant now, boolean anew) {
        var all = new ArrayList<>(openings);
        all.add(new Opening(now, audit));
        return new Gate(name, cause, null, closings, raised.again(now, anew), all);
    }

    /**
     * That a person opened it.
     *
     * @param at when
     * @param audit who, and why
     */
    public record Opening(Instant at, Audit audit) {}

    /** Why a gate closes. */
    public enum Cause {
        /** Credit, login or quota. */
        ACCOUNT,
        /** As much is spent as may be. */
        BUDGET,
        /** The other side wants to be left alone for a while. */
        RATE,
        /** So much has failed alike that something is wrong which is no job's fault; from time to time one job tries whether it is over. */
        BRAKE
    }

    /**
     * How a gate is closed.
     *
     * @param why in a sentence
     * @param since when
     * @param until when it opens by itself; null when a person must open it
     */
    public record Closing(
            String why, Instant since, @Nullable Instant until) {}

    /**
     * A wish to wait at a gate.
     *
     * @param name which gate
     * @param reason why it closes; null to join those who wait, without closing it
     */
    public record Wish(String name, @Nullable Reason reason) {
        public Wish {
            if (name.isBlank() || name.length() > MOST_CHARS) {
                throw new IllegalArgumentException("a gate has a name of 1 to " + MOST_CHARS + " characters");
            }
        }

        /** A wish to join those who wait there already. */
        public static Wish toJoin(String name) {
            return new Wish(name, null);
        }
    }

    /**
     * Why a job closes a gate.
     *
     * @param cause what kind of reason it is
     * @param why in a sentence
     * @param until when it opens by itself, by the store's clock; null when a person must open it
     * @param seen how often it had been closed when the job looked; null when the reason is newer than any look
     */
    public record Reason(
            Cause cause,
            String why,
            @Nullable Instant until,
            @Nullable Long seen) {}

    /**
     * How often a person opened a gate.
     *
     * @param times how often; of a gate that opens by itself, on the day of the last time
     * @param last when last; null when nobody has
     */
    public record Raised(int times, @Nullable Instant last) {
        /** Nobody has. */
        public static final Raised NEVER = new Raised(0, null);

        /** How often on the day of {@code now}, in UTC. */
        public int timesOnDayOf(Instant now) {
            return last != null && day(last).equals(day(now)) ? times : 0;
        }

        /** Once more now; {@code anew} when earlier days no longer count. */
        public Raised again(Instant now, boolean anew) {
            return new Raised((anew ? timesOnDayOf(now) : times) + 1, now);
        }

        private static LocalDate day(Instant when) {
            return LocalDate.ofInstant(when, ZoneOffset.UTC);
        }
    }

    /** Whether only one job ever waits there: nobody has to open it once that job has gone. */
    public boolean isOfOneJob() {
        return GateNames.isOfOneJob(name);
    }

    /** Whether nobody passes at this moment. */
    public boolean closedAt(Instant now) {
        return closing != null && (closing.until() == null || now.isBefore(closing.until()));
    }

    /** The whole question: what happened, the command that opens it, and what happens if nobody does. */
    public String text(long waiting, String store) {
        if (closing == null) {
            return "gate " + Visible.of(name) + " is open";
        }
        var text = "gate " + Visible.of(name) + " is closed since " + LocalTimeText.of(closing.since()) + ": "
                + Visible.lines(WithoutPasswords.of(closing.why())).replace("\n", "\n  | ") + "; "
                + Many.of(waiting, "job waits", "jobs wait") + " at it\n  pawl open " + ShellWord.of(name)
                + " --note WHY" + store + "    "
                + switch (cause) {
                    case ACCOUNT -> "it is mended: all who wait go on, and no attempt was spent";
                    case BUDGET -> "as much again may be spent, and all who wait go on";
                    case RATE -> "all who wait go on";
                    case BRAKE -> "it is mended: all who wait go on at once";
                };
        if (!openings.isEmpty()) {
            var last = openings.getLast();
            text += "\n  opened before: " + Many.of(openings.size(), "time") + ", last at "
                    + LocalTimeText.of(last.at()) + " by "
                    + Visible.of(last.audit().text());
        }
        return text + "\nIf nobody opens it, "
                + (closing.until() == null
                        ? "they wait."
                        : "it opens by itself at " + LocalTimeText.of(closing.until()) + ".");
    }
}
