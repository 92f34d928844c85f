package dev.pawl.batch;

import dev.pawl.key.Identity;
import dev.pawl.retry.AccountTrouble;
import java.util.HashSet;
import java.util.Set;

/**
 * Stops a run when different rows fail alike, one after the other: then something is wrong that is no row's fault, and to go on would spend
 * every row's attempts. Thread-safe.
 */
public final class Brake {
    private final int most;
    private final Set<Identity> failed = new HashSet<>();
    private String like = "";
    private String last = "";

    /** Stops after {@code most} rows; 0 for never. */
    public Brake(int most) {
        if (most < 0) {
            throw new IllegalArgumentException("--halt-after is a number of rows, or 0 for never, not " + most);
        }
        this.most = most;
    }

    /** A row came out well. */
    public synchronized void succeeded() {
        failed.clear();
    }

    /**
     * An attempt of a row failed.
     *
     * @param how what makes failures alike
     * @param says what it said
     */
    public synchronized void failed(Identity row, String how, String says) {
        if (!how.equals(like)) {
            failed.clear();
            like = how;
        }
        failed.add(row);
        last = says;
    }

    /**
     * Lets a row begin.
     *
     * @throws AccountTrouble when so many have failed alike that nobody should: all wait at one gate, and no attempt is spent
     */
    public synchronized void pass() {
        if (most > 0 && failed.size() >= most) {
            throw new AccountTrouble(failed.size() + " rows in a row failed alike: " + last);
        }
    }
}
