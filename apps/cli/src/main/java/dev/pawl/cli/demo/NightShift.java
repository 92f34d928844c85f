package dev.pawl.cli.demo;

import static dev.pawl.effect.Contract.verifiable;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.Submission;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.Verification;
import dev.pawl.http.GuardedHttp;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The worker of the demonstration: writes ten articles and posts each to the site. Run again, it does what is left. */
public final class NightShift {

    static final List<String> TITLES = List.of(
            "Why the batch died at two",
            "Keys made of what, not when",
            "A journal beside the work",
            "Who holds the lease",
            "Fences for late writers",
            "Sent, or not sent",
            "Ask the destination first",
            "Retries that end",
            "One question for the morning",
            "Quiet when all is well");

    static final Workflow<String, String> ARTICLE = Workflow.named("article", String.class, String.class);

    private final URI site;
    private final GuardedHttp http = GuardedHttp.usual();
    private final HttpClient reading = HttpClient.newHttpClient();

    private NightShift(URI site) {
        this.site = site;
    }

    /** Works through the batch in the file {@code arguments[0]} against the site at {@code arguments[1]}, and prints how it ended. */
    public static void main(String[] arguments) throws InterruptedException {
        var shift = new NightShift(URI.create(arguments[1]));
        var options = PawlOptions.usual().slots(1);
        try (var pawl = Pawl.openOrCreate(Path.of(arguments[0]), options)) {
            var done = 0;
            var skipped = 0;
            var jobs = new ArrayList<Submission<String>>();
            for (var title : TITLES) {
                var finished = pawl.find(ARTICLE, Key.of(title)).filter(job -> job.state() == JobState.DONE);
                jobs.add(pawl.submit(ARTICLE, Key.of(title), title));
                skipped += finished.isPresent() ? 1 : 0;
            }
            pawl.work(ARTICLE.implementedBy(shift::article));
            for (var job : jobs) {
                job.join();
                done++;
            }
            System.out.println("done=" + (done - skipped) + " skipped=" + skipped + " failed=0 paused=0 waiting=0");
        }
    }

    private String article(Job job, String title) {
        var text = job.step("write", String.class, () -> write(title));
        return job.effect(
                "post", verifiable(this::posted).settle(Duration.ofSeconds(2)), text, String.class, this::post);
    }

    /** Stands in for a model that takes its time. */
    private static String write(String title) throws InterruptedException {
        new Signal().await(Time.system(), 0, Duration.ofMillis(150));
        return title;
    }

    private String post(String text, Attempt attempt) throws InterruptedException {
        var request = HttpRequest.newBuilder(site.resolve("/posts"))
                .POST(HttpRequest.BodyPublishers.ofString(text))
                .build();
        return http.send(attempt, request).body();
    }

    private Verification<String> posted(Attempt attempt) throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(site.resolve("/posts/" + attempt.key())).build();
        var response = reading.send(request, HttpResponse.BodyHandlers.ofString());
        return switch (response.statusCode()) {
            case 200 -> Verification.happened(response.body());
            case 404 -> Verification.didNotHappen();
            default -> Verification.cannotTell("the site said " + response.statusCode());
        };
    }
}
