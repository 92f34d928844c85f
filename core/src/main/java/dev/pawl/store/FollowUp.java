package dev.pawl.store;

import dev.pawl.decision.Audit;
import dev.pawl.json.Json;
import dev.pawl.look.StoredJob;
import java.time.Duration;
import java.util.Objects;

/**
 * What a change has begun to do to other jobs and has not ended, because there are too many of them for one commit: it is kept in the commit that began it, and
 * every keeper goes on with it ({@link Change.GoOn}). A job that something is left of is not taken up again before that is done, so that nobody is told of an
 * end that is no longer so, and nobody below it is called off who was called by another run.
 *
 * @param id its number in its store: what was left first is gone on with first
 * @param rest what is left
 */
public record FollowUp(long id, Rest rest) {
    /** So many other jobs are changed in one commit at the most. */
    public static final int MOST_OTHERS = 256;

    /** How long is left alone what somebody else holds. */
    public static final Duration HELD = Duration.ofSeconds(1);

    /** What is left. */
    public sealed interface Rest {
        /** The job whose it is; 0 where it is a gate's. */
        long job();

        /** As it is kept beside its {@link #restCode}. */
        default String text() {
            return Json.write(this);
        }

        /** What tells this kind of rest from the others, for ever. */
        default RestCode restCode() {
            return switch (this) {
                case CallOff ignored -> RestCode.CALL_OFF;
                case TellCallers ignored -> RestCode.TELL_CALLERS;
                case LetGo ignored -> RestCode.LET_GO;
            };
        }
    }

    /** Kinds of what is left, by the numbers under which they are kept. */
    public enum RestCode {
        /** {@link CallOff}. */
        CALL_OFF(1, CallOff.class),
        /** {@link TellCallers}. */
        TELL_CALLERS(2, TellCallers.class),
        /** {@link LetGo}. */
        LET_GO(3, LetGo.class);

        private final int number;
        private final Class<? extends Rest> kind;

        RestCode(int number, Class<? extends Rest> kind) {
            this.number = number;
            this.kind = kind;
        }

        /** Its number. */
        public int number() {
            return number;
        }

        /** What is left, as it was kept under {@code number}. */
        public static Rest read(int number, String text) {
            for (var code : values()) {
                if (code.number == number) {
                    return Objects.requireNonNull(Json.read(text, code.kind));
                }
            }
            throw new IllegalArgumentException("there is no kind " + number + " of what is left to do");
        }
    }

    /**
     * Jobs that a job has called, and that are called off with it.
     *
     * @param job which was called off
     * @param resubmission in which run: what a later one calls is not its business
     * @param change the change that called it off
     * @param audit who did, and why
     * @param behind the last of them that was looked at
     */
    public record CallOff(long job, int resubmission, long change, Audit audit, long behind) implements Rest {
        /** The same, a little further. */
        public CallOff behind(long child) {
            return new CallOff(job, resubmission, change, audit, child);
        }
    }

    /**
     * Jobs that have called a job, and hear of its end.
     *
     * @param job which has ended
     * @param lastTold the last caller that was told
     */
    public record TellCallers(long job, Caller lastTold) implements Rest {
        /** Everybody. */
        public static TellCallers all(long job) {
            return new TellCallers(job, Caller.NONE);
        }

        /** The same, a little further. */
        public TellCallers behind(Caller caller) {
            return new TellCallers(job, caller);
        }
    }

    /**
     * One call of a job.
     *
     * @param parent who called
     * @param resubmission in which run
     * @param place where in its code
     */
    public record Caller(long parent, int resubmission, String place) implements Comparable<Caller> {
        /** Comes before all. */
        public static final Caller NONE = new Caller(0, 0, "");

        @Override
        public int compareTo(Caller another) {
            var byParent = Long.compare(parent, another.parent);
            var byRun = byParent == 0 ? Integer.compare(resubmission, another.resubmission) : byParent;
            return byRun == 0 ? place.compareTo(another.place) : byRun;
        }
    }

    /**
     * Jobs that wait at a gate which was opened.
     *
     * @param gate its name
     * @param closings how often it had been closed then: who came to it after a later closing stays
     */
    public record LetGo(String gate, long closings) implements Rest {
        @Override
        public long job() {
            return 0;
        }
    }

    /** Why {@code job} cannot be taken up again while something of it is left to do. */
    static Applied objection(StoredJob job) {
        return new Applied.Conflict(
                "job " + job.identity() + " is " + job.state()
                        + ", and not all jobs that have to do with it have heard of that yet; ask again in a moment",
                job);
    }

    /** What goes on with it. */
    public Change.GoOn goOn() {
        return new Change.GoOn(id, rest.job());
    }
}
