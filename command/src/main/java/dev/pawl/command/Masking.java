package dev.pawl.command;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Hands on what is written with a mask in place of each secret, however the writing is cut into pieces: what may be the beginning of one is held
 * back until more comes, or the end; never more than the longest secret can be. Thread-safe.
 */
final class Masking implements KeptOutput.Sink {
    private final Secrets secrets;
    private final KeptOutput.Sink next;
    private byte[] held = new byte[0];
    private boolean found;

    Masking(Secrets secrets, KeptOutput.Sink next) {
        this.secrets = secrets;
        this.next = next;
    }

    @Override
    public synchronized void take(byte[] bytes, int length) {
        if (secrets.isEmpty()) {
            next.take(bytes, length);
            return;
        }
        var all = bytes;
        var end = length;
        if (held.length > 0) {
            all = Arrays.copyOf(held, held.length + length);
            System.arraycopy(bytes, 0, all, held.length, length);
            end = all.length;
        }
        handOn(all, end, Secrets.Following.TO_COME);
    }

    /**
     * Nothing more comes: what was held back is handed on.
     *
     * @param cutOff whether whoever wrote was stopped, so that the rest may be half a secret
     */
    synchronized void end(boolean cutOff) {
        handOn(held, held.length, cutOff ? Secrets.Following.CUT_OFF : Secrets.Following.NONE);
    }

    /** Whether there was anything to mask. */
    synchronized boolean found() {
        return found;
    }

    private void handOn(byte[] text, int end, Secrets.Following rest) {
        var clean = new ByteArrayOutputStream(end);
        var run = new BackslashRun(text, end);
        var at = 0;
        while (at < end) {
            if (run.isLongerFrom(at, secrets.mostBackslashes())) {
                clean.write(text[at++]);
                continue;
            }
            var secret = secrets.at(text, at, end, rest);
            if (secret == Secrets.PERHAPS) {
                break;
            }
            if (secret == 0) {
                clean.write(text[at++]);
            } else {
                found = true;
                clean.writeBytes(Secrets.MASK);
                at += secret;
            }
        }
        held = Arrays.copyOfRange(text, at, end);
        if (clean.size() > 0) {
            next.take(clean.toByteArray(), clean.size());
        }
    }
}
