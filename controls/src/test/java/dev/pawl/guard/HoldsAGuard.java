package dev.pawl.guard;

import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Path;

/** A process that takes a guard and holds it until it is killed. */
final class HoldsAGuard {
    private HoldsAGuard() {}

    public static void main(String[] arguments) throws IOException {
        var taking = Guard.take(Path.of(arguments[0]), arguments[1], "another one", Time.system());
        if (taking instanceof Guard.TryResult.Ours ours) {
            ours.guard().note("a word");
            System.out.println("held");
        }
        System.in.read();
    }
}
