package dev.pawl.cli;

import dev.pawl.command.Relay;

/** What commands write, on our own streams. */
enum Shown implements Relay {
    STREAMS;

    @Override
    public void output(byte[] bytes, int length) {
        System.out.write(bytes, 0, length);
        System.out.flush();
    }

    @Override
    public void error(byte[] bytes, int length) {
        System.err.write(bytes, 0, length);
        System.err.flush();
    }
}
