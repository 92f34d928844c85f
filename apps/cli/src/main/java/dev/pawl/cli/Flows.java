package dev.pawl.cli;

import dev.pawl.command.Commands;
import dev.pawl.command.Program;
import dev.pawl.job.Workflow;
import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import dev.pawl.script.Flow;
import dev.pawl.script.FlowCode;
import dev.pawl.script.FlowReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the commands that run flows have in common: files, inputs and slots as they are typed. */
final class Flows {

    private Flows() {}

    /** The file, if it can be read. */
    private static Path readable(String what, Path file) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new IllegalArgumentException("there is no " + what + " to read at " + file);
        }
        return file;
    }

    /** The flow that a file says, if its programs are there too. */
    static Flow runnable(Path file) throws IOException {
        var flow = FlowReader.read(readable("flow", file));
        for (var program : flow.programs()) {
            var trouble = Program.trouble(program, flow.directory(), System.getenv());
            if (trouble != null) {
                throw new IllegalArgumentException(file + ": " + trouble);
            }
        }
        return flow;
    }

    /** Keeps how jobs of a flow are worked on, by {@code run} or {@code work}, for whoever asks what goes on with them. */
    static void keepHow(StoreOption store, String how, Path file, Flow flow) {
        LastRun.typed(List.of(how, file.toString())).keep(store, flow.name());
    }

    /** What does a flow here, with the secrets of our own environment; that it was changed under a job is told on stderr. */
    static Workflow.Implementation<JsonNode, JsonNode> code(Flow flow, Commands commands) {
        return FlowCode.of(
                flow, commands, System.getenv(), (identity, change) -> Warnings.say(identity + ": " + change));
    }

    /** The input that was typed: JSON, {@code @FILE}, or {@code -} for stdin; with the slot in it, if there is one. */
    static JsonNode input(@Nullable String typed, @Nullable String slot) throws IOException {
        var text = typed == null ? "{}" : typed;
        if (text.equals("-")) {
            text = utf8(System.in.readAllBytes());
        } else if (text.startsWith("@")) {
            text = utf8(Files.readAllBytes(readable("input", Path.of(text.substring(1)))));
        }
        try {
            var input = Objects.requireNonNull(Json.read(Json.canonical(Json.exact(text)), JsonNode.class));
            if (slot == null) {
                return input;
            }
            if (!(input instanceof ObjectNode object)) {
                throw new IllegalArgumentException("with --slot the input is a JSON object");
            }
            return object.put("slot", slot(slot));
        } catch (JsonMismatch e) {
            throw new IllegalArgumentException("--input is " + e.getMessage(), e);
        }
    }

    private static String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("--input is not UTF-8", e);
        }
    }

    /** A day stays a day, and an instant is one with its zone. */
    private static String slot(String typed) {
        try {
            return LocalDate.parse(typed).toString();
        } catch (DateTimeParseException notADay) {
            try {
                return OffsetDateTime.parse(typed).toString();
            } catch (DateTimeParseException e) {
                throw new IllegalArgumentException(
                        "\"" + typed
                                + "\" is no slot; write a day, 2026-04-12, or an instant, 2026-04-12T11:55:00+02:00",
                        e);
            }
        }
    }
}
