package dev.pawl.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Our standard output, which remembers what could not be written: Java's own forgets it, and a list that was cut would look whole. */
final class StandardOutput extends OutputStream {
    private static volatile @Nullable String trouble;

    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

    private StandardOutput() {}

    /** Makes it the one that everybody here writes to. */
    static void use() {
        var named = System.getProperty("stdout.encoding");
        var encoding = named == null ? Charset.defaultCharset() : Charset.forName(named);
        System.setOut(new PrintStream(new StandardOutput(), true, encoding));
    }

    /** Why something could not be written there; null when all was. */
    static @Nullable String trouble() {
        return trouble;
    }

    /** The code with which a command ends that would have ended with {@code code}: what nobody got was not said. */
    static int ending(int code) {
        System.out.flush();
        var why = trouble;
        if (why == null || nobodyReads()) {
            return code;
        }
        System.err.println("pawl: not all could be written to standard output: " + why);
        return code == 0 ? ExitCodes.UNFINISHED : code;
    }

    /** Whether it failed because nobody reads any more: whoever went away wanted no more. What a system says of that depends on its language. */
    static boolean nobodyReads() {
        var why = trouble;
        try {
            return why != null
                    && Files.readSymbolicLink(Path.of("/proc/self/fd/1"))
                            .toString()
                            .matches("(pipe|socket):.*");
        } catch (IOException | UnsupportedOperationException e) {
            return why != null && why.contains("roken pipe");
        }
    }

    private interface Writing {
        void write() throws IOException;
    }

    private static void remembering(Writing writing) throws IOException {
        try {
            writing.write();
        } catch (IOException e) {
            trouble = trouble == null ? String.valueOf(e.getMessage()) : trouble;
            throw e;
        }
    }

    @Override
    public void write(int one) throws IOException {
        remembering(() -> out.write(one));
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        remembering(() -> out.write(bytes, from, length));
    }
}
