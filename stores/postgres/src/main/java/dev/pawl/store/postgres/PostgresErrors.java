package dev.pawl.store.postgres;

import dev.pawl.store.HeldChange;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.text.WithoutPasswords;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What PostgreSQL's errors mean, and the sentence that says what to do. */
final class PostgresErrors {
    private static final Set<String> GONE = Set.of("57P01", "57P02", "57P05", "25P03", "25P04");

    private PostgresErrors() {}

    /** Whether the change itself is at fault: its data, not the server. */
    static boolean blamesTheChange(SQLException e) {
        var state = state(e);
        return state.startsWith("22") || state.startsWith("23") || state.startsWith("54");
    }

    /** Whether the database gave up for the sake of others, and the very same may well succeed at once. */
    static boolean isCollision(SQLException e) {
        var state = state(e);
        return state.equals("40001") || state.equals("40P01");
    }

    /** Whether somebody else held a lock for longer than we wait for one. */
    static boolean isHeld(SQLException e) {
        return state(e).equals("55P03");
    }

    /** Whether it may be one of several changes that is at fault, or in the way of others, and each had better be tried alone. */
    static boolean isAboutTheChanges(SQLException e) {
        return blamesTheChange(e) || isCollision(e) || isHeld(e);
    }

    /** Whether the connection is of no more use, and others from the same time probably neither. */
    static boolean spoilsTheConnection(SQLException e) {
        return state(e).startsWith("08") || state(e).startsWith("57P") || GONE.contains(state(e)) || state(e).isEmpty();
    }

    static StoreFailure explain(SQLException e, String server) {
        var state = state(e);
        var said = " ("
                + WithoutPasswords.of(Objects.requireNonNullElse(e.getMessage(), state)
                        .lines()
                        .findFirst()
                        .orElse(state))
                + ")";
        if (isOfTheAddress(e)) {
            return new StoreFailure(
                    Move.OPERATOR, server + " cannot be connected to like that; mend the address" + said + cause(e), e);
        }
        if (e.getCause() instanceof UnknownHostException) {
            return new StoreFailure(
                    Move.ASK_AGAIN,
                    server
                            + " does not answer: the name of its host is not known now, and nothing was acknowledged; it goes on when it is, and if it is misspelt, mend the address",
                    e);
        }
        if (GONE.contains(state) || state.startsWith("08") || state.equals("57P03")) {
            return new StoreFailure(
                    Move.ASK_AGAIN,
                    server + " does not answer, and nothing was acknowledged; start it, and it goes on" + said,
                    e);
        }
        return switch (state) {
            case "28P01", "28000" ->
                new StoreFailure(
                        Move.OPERATOR,
                        server
                                + " refuses the user or the password; give others in the address, or in PGUSER and PGPASSWORD",
                        e);
            case "3D000" ->
                new StoreFailure(
                        Move.OPERATOR,
                        "the database is not there on " + server + "; make it with createdb first" + said,
                        e);
            case "42501" ->
                new StoreFailure(
                        Move.OPERATOR,
                        server + " does not let this user do that; give it the schema, or the right to make one" + said,
                        e);
            case "3F000", "42P01", "42703", "42883", "42804", "42P10" ->
                new StoreFailure(
                        Move.OPERATOR,
                        "somebody has altered Pawl's tables in " + server
                                + "; put them back as they were, from a backup if need be" + said,
                        e);
            case "25006" ->
                new StoreFailure(
                        Move.OPERATOR,
                        server + " takes no writes: it is a replica, or read-only by its settings; name the primary"
                                + said,
                        e);
            case "53100" ->
                new StoreFailure(
                        Move.ASK_AGAIN,
                        "the disk of " + server
                                + " is full, and nothing was acknowledged; free some space, and it goes on",
                        e);
            case "53300" ->
                new StoreFailure(
                        Move.ASK_AGAIN,
                        server + " has no connection left; allow more (max_connections), or let fewer workers run"
                                + said,
                        e);
            case "57014" ->
                new StoreFailure(
                        Move.ASK_AGAIN,
                        server
                                + " did not get a statement done in time, and nothing was acknowledged; it is asked again"
                                + said,
                        e);
            case PostgresDeparture.SEALED_STATE ->
                new StoreFailure(
                        Move.OPERATOR,
                        server + " was moved while this had it open; open it anew, and it says where",
                        e);
            case "55P03", "40001", "40P01" -> new StoreFailure(Move.ASK_AGAIN, held(server) + said, e);
            default ->
                new StoreFailure(
                        Move.ASK_AGAIN, server + ": " + WithoutPasswords.of(String.valueOf(e.getMessage())), e);
        };
    }

    /**
     * Whether the driver could do nothing with the address, or the server nothing with what it asks for. That nobody answers there ({@code 08001}: packets
     * are dropped, a name is not known) is none: it may pass.
     */
    private static boolean isOfTheAddress(SQLException e) {
        return state(e).equals("08004") || state(e).equals("22023");
    }

    private static String cause(SQLException e) {
        return e.getCause() == null
                ? ""
                : ": " + WithoutPasswords.of(String.valueOf(e.getCause().getMessage()));
    }

    private static String held(String server) {
        return "somebody holds a lock in " + server
                + " for too long; look at pg_stat_activity for a transaction that does not end";
    }

    /** Somebody holds what the changes with these indexes are about. */
    static HeldChange held(List<Integer> changes, SQLException e, String server) {
        return new HeldChange(changes, held(server), e);
    }

    static String state(SQLException e) {
        return Objects.requireNonNullElse(e.getSQLState(), "");
    }
}
