package dev.pawl.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What was typed, byte by byte, as far as the system tells: Java reads text, and what is none would reach a command as something else. */
final class TypedBytes {
    private static final Path TYPED = Path.of("/proc/self/cmdline");

    private TypedBytes() {}

    /** Why {@code arguments} are not what was typed; null when they are. */
    static @Nullable String lostIn(String... arguments) {
        return Arrays.stream(arguments).noneMatch(word -> word.indexOf('\ufffd') >= 0) || isUtf8()
                ? null
                : "a word that was typed is not UTF-8, and would reach its command as another one; put it into a script, and name that";
    }

    private static boolean isUtf8() {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(Files.readAllBytes(TYPED)));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        } catch (IOException e) {
            // The system does not tell.
            return true;
        }
    }
}
