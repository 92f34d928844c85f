package dev.pawl.cli.demo;

import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;

/** Runs the demonstration: starts a site and a worker, kills the worker twice, and counts what the site received. */
public final class Demo {

    private static final Duration LOOK_EVERY = Duration.ofMillis(20);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final PrintStream out;
    private final Time time = Time.system();
    private final HttpClient http = HttpClient.newHttpClient();
    private final PostedSoFar progress;
    private URI site = URI.create("http://localhost");

    /** What the site has seen. */
    private record Tally(int lookUps, List<String> posts) {}

    /** A demonstration that prints to {@code out}, with a moving bar when that is a terminal. */
    public Demo(PrintStream out, boolean terminal) {
        this.out = out;
        this.progress = PostedSoFar.of(out, terminal, NightShift.TITLES.size());
    }

    /** Runs it; 0 when the site received every article exactly once. */
    public int run() throws IOException, InterruptedException {
        var start = time.nanos();
        var folder = Files.createTempDirectory("pawl-demo");
        Process siteProcess = null;
        try {
            siteProcess = java("Site");
            site = URI.create("http://127.0.0.1:" + firstLine(siteProcess).strip());
            out.println("Ten articles for a small site, overnight. The worker is killed twice with kill -9.");
            night(folder.resolve("night.db"));
            return verdict(Duration.ofNanos(time.nanos() - start));
        } finally {
            progress.close();
            if (siteProcess != null) {
                siteProcess.destroyForcibly();
            }
            delete(folder);
        }
    }

    private void night(Path store) throws IOException, InterruptedException {
        var first = shift(store);
        until(first, tally -> tally.posts().size() >= 3);
        kill(first, "article 3 is posted, its answer not yet recorded");
        var asked = tally().lookUps();

        var second = shift(store);
        until(second, tally -> tally.lookUps() > asked);
        kill(second, "recovery is asking the site whether article 3 is there");

        var third = shift(store);
        until(third, tally -> !third.isAlive());
    }

    private int verdict(Duration took) throws IOException, InterruptedException {
        var posts = tally().posts();
        progress.close();
        out.println();
        out.println("The site received:");
        for (var title : NightShift.TITLES) {
            var times = posts.stream().filter(title::equals).count();
            out.printf("  %-32s %s%n", title, times == 1 ? "once" : times + " times");
        }
        var twice = posts.size() - new HashSet<>(posts).size();
        out.printf(
                "batch=demo done=%d skipped=0 failed=0 paused=0 waiting=0 killed=2 twice=%d time=%ds%n",
                new HashSet<>(posts).size(), twice, took.toSeconds());
        return twice == 0 && new HashSet<>(posts).equals(new HashSet<>(NightShift.TITLES)) ? 0 : 1;
    }

    private Process shift(Path store) throws IOException {
        return java("NightShift", store.toString(), site.toString());
    }

    private void kill(Process worker, String when) throws InterruptedException {
        progress.note("kill -9 " + worker.pid() + ": " + when);
        worker.destroyForcibly().waitFor();
    }

    /** Watches the site until {@code reached}; a worker that ends before that is a failure. */
    private void until(Process worker, Predicate<Tally> reached) throws IOException, InterruptedException {
        var start = time.nanos();
        while (true) {
            var alive = worker.isAlive();
            var tally = tally();
            progress.reached(new HashSet<>(tally.posts()).size());
            if (reached.test(tally)) {
                return;
            }
            if (!alive || time.nanos() - start > LONGEST.toNanos()) {
                worker.destroyForcibly();
                throw new IOException("the worker ended too early: " + firstLine(worker));
            }
            new Signal().await(time, 0, LOOK_EVERY);
        }
    }

    private Tally tally() throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(site.resolve("/tally")).build();
        var lines = http.send(request, HttpResponse.BodyHandlers.ofString())
                .body()
                .lines()
                .toList();
        return new Tally(Integer.parseInt(lines.getFirst()), lines.subList(1, lines.size()));
    }

    private static Process java(String main, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Demo.class.getPackageName() + "." + main));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String firstLine(Process process) throws IOException {
        var reader = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        var line = reader.readLine();
        return line == null ? "it said nothing" : line;
    }

    private static void delete(Path folder) throws IOException {
        try (var paths = Files.walk(folder)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
