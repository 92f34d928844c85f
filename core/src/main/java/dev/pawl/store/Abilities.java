package dev.pawl.store;

import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a store can do and what it cannot, as it says of itself; the conformance suite holds it to each, both ways.
 *
 * @param sql whether it is a SQL database, in which its users' own tables may be: {@link Store#sql}
 * @param knowsTheDead whether the kernel tells it that a worker's process is gone: {@link Store#knownGone}
 * @param looksMayLag whether a look may miss what was changed just before
 * @param followUpsMayLag whether {@link Store#followUps} may miss what was left just before
 * @param clockError how far what it says of the time may be from its clock
 * @param mostRows how many rows of a ledger one change has at the most
 * @param greatestValue how many characters an input, a result or another value has at the most; empty where only the database's own limits hold
 */
public record Abilities(
        boolean sql,
        boolean knowsTheDead,
        boolean looksMayLag,
        boolean followUpsMayLag,
        Duration clockError,
        int mostRows,
        OptionalLong greatestValue) {
    /** No SQL, no kernel; looks that see everything, a clock that is right, and values of any size. */
    public static final Abilities PLAIN =
            new Abilities(false, false, false, false, Duration.ZERO, Change.OfLedger.MOST_ROWS, OptionalLong.empty());

    /** The same, of a SQL database. */
    public Abilities withSql() {
        return new Abilities(true, knowsTheDead, looksMayLag, followUpsMayLag, clockError, mostRows, greatestValue);
    }

    /** The same, of a store that is told by the kernel which workers are gone. */
    public Abilities whichKnowsTheDead() {
        return new Abilities(sql, true, looksMayLag, followUpsMayLag, clockError, mostRows, greatestValue);
    }

    /** The same, of a store that keeps no value longer than this. */
    public Abilities upTo(long characters) {
        return new Abilities(
                sql, knowsTheDead, looksMayLag, followUpsMayLag, clockError, mostRows, OptionalLong.of(characters));
    }

    /** The same, of a store that takes no more rows of a ledger at once. */
    public Abilities rowsAtOnce(int most) {
        return new Abilities(sql, knowsTheDead, looksMayLag, followUpsMayLag, clockError, most, greatestValue);
    }

    /** Why a store with these abilities does not make {@code change}; null when it does. */
    public @Nullable Applied objection(Change change) {
        var rows = rows(change);
        if (rows > mostRows) {
            return new Applied.Refused(rows + " rows are more than this store takes at once, which is " + mostRows);
        }
        if (greatestValue.isEmpty()) {
            return null;
        }
        var longest = ValueLengths.longest(change);
        return longest <= greatestValue.getAsLong()
                ? null
                : new Applied.Refused("a value of " + longest + " characters is longer than this store keeps, which is "
                        + greatestValue.getAsLong());
    }

    private static int rows(Change change) {
        return switch (change) {
            case Change.EnrolRows enrol -> enrol.rows().size();
            case Change.ReconcileRows reconcile -> reconcile.answers().size();
            case Change.SayOfRows say -> say.rows().size();
            case Change.SendRowsIfOwned send -> send.sending().rows().size();
            default -> 0;
        };
    }
}
