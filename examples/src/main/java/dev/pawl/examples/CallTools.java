package dev.pawl.examples;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.job.Named.named;

import dev.pawl.Pawl;
import dev.pawl.job.Conversation;
import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Progress;
import dev.pawl.journal.Turn;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An agent that plans, calls tools and answers: its model is asked once for each turn, and each tool acts once, however often the job is resumed. */
public final class CallTools {
    private static final Workflow<String, String> ANSWER = Workflow.named("answer", String.class, String.class);

    private final List<String> sent = new ArrayList<>();

    /** Stands for a model: it wants two tools called, then it answers. */
    private static Turn model(List<Turn> soFar) {
        return soFar.size() == 1
                ? Turn.of("assistant", "Let me look.")
                        .calling("1", "search", "fences")
                        .calling("2", "mail", "anna")
                : Turn.of("assistant", "Anna has mail about " + soFar.get(2).content() + ".");
    }

    String answer(Job job, String question) {
        var chat = job.conversation();
        chat.say("task", "user", question);
        for (var turn = 1; ; turn++) {
            job.progress(Progress.done(turn - 1).at("thinking"));
            var prompt = chat.turns();
            var reply = chat.reply(
                    named("reply-" + turn)
                            .request(prompt)
                            .timeout(Duration.ofMinutes(5))
                            .through("model"),
                    () -> model(prompt));
            if (reply.toolCalls().isEmpty()) {
                return reply.content();
            }
            callTools(job, chat, turn, reply.toolCalls());
        }
    }

    private void callTools(Job job, Conversation chat, int turn, List<Turn.ToolCall> calls) {
        for (var i = 0; i < calls.size(); i++) {
            var call = calls.get(i);
            // Found by turn and place in it: a model's own ids are others each time that it is asked.
            var place = job.scope(named("tool").item(turn + "." + i), tool -> use(tool, call));
            chat.say(
                    "tool-" + turn + "." + i,
                    Turn.of("tool", "").answering(call.id()).referringTo(place));
        }
    }

    /** Does what the model wants; where the result is recorded. */
    private Place use(Job job, Turn.ToolCall call) {
        switch (call.tool()) {
            case "search" -> job.step("search", String.class, () -> call.arguments() + " and leases");
            case "mail" ->
                job.effect("mail", idempotent(), call.arguments(), String.class, (request, a) -> {
                    sent.add(request + " gets " + a.key().length() + " characters of key");
                    return "sent";
                });
            default -> throw new IllegalArgumentException("no tool " + call.tool());
        }
        return job.place(call.tool());
    }

    /** Answers one question. */
    public static void main(String[] arguments) throws InterruptedException {
        var code = new CallTools();
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            pawl.work(ANSWER.implementedBy(code::answer));
            var job = pawl.submit(ANSWER, Key.of("q1"), "What do fences do?");
            System.out.println(job.join());
            System.out.println(code.sent.size() + " mail");
            pawl.journal(pawl.find(job.identity()).orElseThrow()).stream()
                    .map(line -> line.entry().place().toString())
                    .filter(place -> !place.isEmpty())
                    .distinct()
                    .forEach(System.out::println);
        }
    }
}
