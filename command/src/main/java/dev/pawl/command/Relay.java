package dev.pawl.command;

/** Takes what a command writes, as it writes it. */
public interface Relay {
    /** Nobody wants to see it. */
    Relay NOBODY = new Relay() {
        @Override
        public void output(byte[] bytes, int length) {}

        @Override
        public void error(byte[] bytes, int length) {}
    };

    /** It wrote this to its standard output. */
    void output(byte[] bytes, int length);

    /** It wrote this to its standard error. */
    void error(byte[] bytes, int length);
}
