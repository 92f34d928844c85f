package dev.pawl.checks.bench;

/** The least that a JVM does: the reference of whatever a person waits for. */
public final class Hello {

    private Hello() {}

    /** Says so. */
    public static void main(String[] arguments) {
        System.out.println("hello");
    }
}
