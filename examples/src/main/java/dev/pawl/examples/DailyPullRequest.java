package dev.pawl.examples;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.verifiable;

import dev.pawl.Pawl;
import dev.pawl.effect.Verification;
import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The whole idea in a dozen lines: a step, an effect that the destination deduplicates, and one that it can be asked about. */
public final class DailyPullRequest {

    /** What to write about. */
    public record Topic(String title) {}

    /** What comes of it. */
    public record PullRequest(int number) {}

    private final Forge forge = new Forge();

    // tag::readme[]
    static final Workflow<Topic, PullRequest> DAILY_PR =
            Workflow.named("daily-blog-pr", Topic.class, PullRequest.class);

    PullRequest dailyPr(Job job, Topic topic) {
        var text = job.step("write", String.class, () -> model(topic));
        var branch = job.effect("push", idempotent(), text, String.class, (request, a) -> forge.push(request, a.key()));
        return job.effect(
                "open-pr",
                verifiable(a -> forge.find(a.key())),
                branch,
                PullRequest.class,
                (request, a) -> forge.open(request, a.key()));
    }

    static void run(Path file, DailyPullRequest code) throws InterruptedException {
        try (var pawl = Pawl.openOrCreate(file)) {
            pawl.work(DAILY_PR.implementedBy(code::dailyPr)); // also what a dead process left behind
            var pr = pawl.submit(DAILY_PR, Key.of("2026-04-12"), new Topic("Fences"))
                    .join();
            System.out.println("pull request " + pr.number());
        }
    }
    // end::readme[]

    /** Runs it twice on the same file: the second run finds everything done. */
    public static void main(String[] arguments) throws InterruptedException {
        var code = new DailyPullRequest();
        run(StoreFile.of(arguments), code);
        run(StoreFile.of(arguments), code);
        System.out.println("opened " + code.forge.opened() + " in all");
    }

    /** Stands in for a model. */
    private static String model(Topic topic) {
        return "An essay about " + topic.title();
    }

    /** Stands in for a forge. */
    private static final class Forge {
        private final Map<String, PullRequest> opened = new HashMap<>();

        String push(String text, String key) {
            return "blog/" + key.substring(0, 8) + "-" + text.length();
        }

        PullRequest open(String branch, String key) {
            var pr = new PullRequest(100 + branch.length());
            opened.put(key, pr);
            return pr;
        }

        Verification<PullRequest> find(String key) {
            var pr = opened.get(key);
            return pr == null ? Verification.didNotHappen() : Verification.happened(pr);
        }

        int opened() {
            return opened.size();
        }
    }
}
