package dev.pawl.desk;

import dev.pawl.Pawl;
import dev.pawl.command.Commands;
import dev.pawl.command.ShownCommand;
import dev.pawl.decision.QuestionKind;
import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import dev.pawl.look.AttemptEvidence;
import dev.pawl.look.AttemptEvidence.LastAttempt;
import dev.pawl.look.StoredJob;
import dev.pawl.text.LineDiff;
import dev.pawl.text.Visible;
import dev.pawl.text.WithoutPasswords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** What a person needs to look at the destination: the key, what was sent, what the job was given, what the attempt wrote and where. All of it bounded and harmless. */
public final class EvidenceText {
    private static final int MOST_LINES = 20;
    private static final int MOST_CHARS = 1_000;
    private static final int MOST_JSON = 64 * 1024;

    private final BesideTheStore beside;
    private final Pawl pawl;

    /** Of the jobs of this store. */
    public EvidenceText(BesideTheStore beside, Pawl pawl) {
        this.beside = beside;
        this.pawl = pawl;
    }

    /** What is known of what a job asks about, of what failed it, or of what it is at; empty when that is nothing. */
    public String of(StoredJob job) {
        var question = job.outcome().question();
        var drift = question != null && question.kind() == QuestionKind.DRIFT;
        return pawl.operator()
                .evidence(job)
                .map(evidence -> text(evidence, drift, isElsewhere(job)))
                .orElse("");
    }

    /** Whether it asks about something that goes on elsewhere: nothing was sent under a key of this place. */
    private static boolean isElsewhere(StoredJob job) {
        var question = job.outcome().question();
        return question != null && question.kind() == QuestionKind.ELSEWHERE;
    }

    private String text(AttemptEvidence evidence, boolean drift, boolean elsewhere) {
        var text = new StringBuilder();
        var last = evidence.last();
        if (!elsewhere) {
            add(text, "key", List.of(evidence.key() + "  (PAWL_KEY: the same on every retry)"));
        }
        var sent = last == null ? null : last.request();
        var command = sent == null ? null : ShownCommand.in(sent).orElse(null);
        if (last != null) {
            add(
                    text,
                    "attempt",
                    List.of(last.number()
                            + (last.by() == null ? "" : ", by " + last.by())
                            + (command == null ? "" : ", in " + command.directory())));
        }
        requests(text, evidence, sent);
        if (drift && sent != null && sent.equals(evidence.wanted())) {
            add(text, "differs", List.of("in what is not shown: it is secret, or too long"));
        }
        add(text, "input", List.of(evidence.input()));
        add(text, "wrote", last(log(evidence)));
        return text.toString();
    }

    /** What was sent; what would be sent now; and both, with what differs, where that is the question. */
    private static void requests(StringBuilder text, AttemptEvidence evidence, @Nullable String sent) {
        var wanted = evidence.wanted();
        if (wanted == null || wanted.equals(sent) || evidence.last() == null) {
            var one = wanted == null ? sent : wanted;
            if (one != null) {
                request(text, "request", one, evidence.input());
            }
            return;
        }
        if (sent == null) {
            add(text, "sent", List.of("was not kept"));
        } else {
            request(text, "sent", sent, evidence.input());
        }
        request(text, "now", wanted, evidence.input());
        if (sent != null) {
            add(text, "differs", LineDiff.of(lines(sent), lines(wanted)));
        }
    }

    private static void request(StringBuilder text, String label, String request, String input) {
        var command = ShownCommand.in(request).orElse(null);
        if (command == null) {
            add(text, label, lines(request));
            return;
        }
        add(text, label.equals("request") ? "command" : label, List.of(command.line()));
        add(text, "with", command.given());
        if (!command.input().isBlank() && !command.input().strip().equals(input.strip())) {
            add(text, "reads", command.input().lines().toList());
        }
    }

    /** What the attempt wrote: as it was kept, else as far as this machine knows it: it may still run, or its worker may have been killed. */
    private String log(AttemptEvidence evidence) {
        var last = evidence.last();
        if (last == null) {
            return "";
        }
        var kept = last.log();
        var seen = last.fence() == 0 ? "" : inItsFolder(evidence, last);
        return kept.contains(seen) ? kept : kept + seen;
    }

    private String inItsFolder(AttemptEvidence evidence, LastAttempt last) {
        try {
            return Commands.written(beside.commandFolders(), evidence.key(), last.number(), last.fence());
        } catch (IOException e) {
            return "";
        }
    }

    private static List<String> last(String log) {
        var lines = log.lines().toList();
        return lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size());
    }

    /** A request as lines that people read and compare: {@code to.name: anna}, a text of several lines as such. */
    private static List<String> lines(String request) {
        try {
            var lines = new ArrayList<String>();
            flatten("", Json.tree(request), lines);
            return lines;
        } catch (JsonMismatch e) {
            return request.lines().toList();
        }
    }

    private static void flatten(String path, JsonNode node, List<String> lines) {
        if (node.isObject() && !node.isEmpty()) {
            node.properties()
                    .forEach(field -> flatten(
                            path.isEmpty() ? field.getKey() : path + "." + field.getKey(), field.getValue(), lines));
        } else if (node.isArray() && !node.isEmpty()) {
            for (var i = 0; i < node.size(); i++) {
                flatten(path + "[" + i + "]", node.get(i), lines);
            }
        } else {
            var name = path.isEmpty() ? "" : path + ": ";
            var said = node.isString() ? node.stringValue() : node.toString();
            if (said.isEmpty()) {
                lines.add(name + "\"\"");
            }
            said.lines().forEach(line -> lines.add(name + line));
        }
    }

    private static void add(StringBuilder text, String label, List<String> lines) {
        var shown = lines.subList(0, Math.min(MOST_LINES, lines.size()));
        var before = label;
        for (var line : shown) {
            text.append(String.format(Locale.ROOT, "  %-8s ", before))
                    .append(harmless(line))
                    .append('\n');
            before = "";
        }
        if (lines.size() > shown.size()) {
            text.append(String.format(Locale.ROOT, "  %-8s ", ""))
                    .append("… and ")
                    .append(lines.size() - shown.size())
                    .append(" lines more\n");
        }
    }

    private static String harmless(String line) {
        var seen = WithoutPasswords.of(Visible.of(line));
        return seen.codePointCount(0, seen.length()) > MOST_CHARS
                ? seen.substring(0, seen.offsetByCodePoints(0, MOST_CHARS)) + "…"
                : seen;
    }

    /** The same for machines; null when there is nothing. */
    public @Nullable Map<String, @Nullable Object> fields(StoredJob job) {
        var evidence = pawl.operator().evidence(job).orElse(null);
        if (evidence == null) {
            return null;
        }
        var last = evidence.last();
        var sent = last == null ? null : last.request();
        var request = sent == null ? evidence.wanted() : sent;
        var command = request == null ? null : ShownCommand.in(request).orElse(null);
        var fields = new LinkedHashMap<String, @Nullable Object>();
        fields.put("place", evidence.place().toString());
        fields.put("key", isElsewhere(job) ? null : evidence.key());
        fields.put("attempt", last == null ? null : last.number());
        fields.put("by", last == null ? null : last.by());
        fields.put("directory", command == null ? null : command.directory());
        fields.put("command", command == null ? null : WithoutPasswords.of(command.line()));
        fields.put("request", sent == null ? null : value(sent));
        fields.put("wanted", evidence.wanted() == null ? null : value(evidence.wanted()));
        fields.put("differs", differs(sent, evidence.wanted()));
        fields.put("input", value(evidence.input()));
        fields.put("log", WithoutPasswords.of(log(evidence)));
        return fields;
    }

    private static @Nullable List<String> differs(@Nullable String sent, @Nullable String wanted) {
        return sent == null || wanted == null
                ? null
                : LineDiff.of(lines(sent), lines(wanted)).stream()
                        .map(WithoutPasswords::of)
                        .toList();
    }

    /** JSON as JSON; what is too long, or was cut, as text. */
    private static Object value(String json) {
        if (json.length() > MOST_JSON) {
            return WithoutPasswords.of(json.substring(0, MOST_JSON)) + "…";
        }
        try {
            return masked(Json.tree(json));
        } catch (JsonMismatch e) {
            return WithoutPasswords.of(json);
        }
    }

    private static JsonNode masked(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                var masked = object.objectNode();
                object.properties().forEach(field -> masked.set(field.getKey(), masked(field.getValue())));
                yield masked;
            }
            case ArrayNode array -> {
                var masked = array.arrayNode();
                array.forEach(one -> masked.add(masked(one)));
                yield masked;
            }
            case StringNode text -> StringNode.valueOf(WithoutPasswords.of(text.stringValue()));
            default -> node;
        };
    }
}
