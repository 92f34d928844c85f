package dev.pawl.guard;

import dev.pawl.key.Encoding;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** A process that has a guard's lock and says who it is only when it is told to: between the two whoever looks finds the word of somebody else. */
final class LocksSilently {
    private LocksSilently() {}

    public static void main(String[] arguments) throws IOException {
        var file = Path.of(arguments[0]).resolve(Encoding.hash(arguments[1]) + ".lock");
        try (var channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.lock();
            System.out.println("held");
            System.in.read();
            var said = "another one\n" + Time.system().now() + " "
                    + ProcessHandle.current().pid() + "\n";
            channel.write(ByteBuffer.wrap(Arrays.copyOf(said.getBytes(StandardCharsets.UTF_8), 4_096)), 0);
            System.out.println("said");
            while (System.in.read() >= 0) {
                // It is held until the test is over.
            }
        }
    }
}
