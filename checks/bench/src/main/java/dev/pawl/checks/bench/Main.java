package dev.pawl.checks.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs W1 at 1, 16 and 128 jobs in flight, subjects interleaved, and prints each speed as a share of its bound. */
public final class Main {

    private static final List<Integer> DEPTHS = List.of(1, 16, 128);
    private static final List<Subject> SUBJECTS = List.of(new RawRows(), new Skeleton(), new PawlSubject());

    private final boolean json;
    private final int rounds;
    private final Duration window;
    private final Path folder;

    private Main(boolean json, int rounds, Duration window, Path folder) {
        this.json = json;
        this.rounds = rounds;
        this.window = window;
        this.folder = folder;
    }

    /** {@code --json} for one line a figure; {@code --rounds N}; {@code --seconds N}; {@code --depth N}. */
    public static void main(String[] arguments) throws Exception {
        var words = List.of(arguments);
        var folder = Files.createTempDirectory(
                Path.of(System.getProperty("pawl.bench.dir", "target")).toAbsolutePath(), "bench");
        var main = new Main(
                words.contains("--json"),
                number(words, "--rounds", 5),
                Duration.ofSeconds(number(words, "--seconds", 3)),
                folder);
        for (var depth : DEPTHS) {
            if (number(words, "--depth", depth) == depth) {
                main.measure(depth);
            }
        }
        Files.delete(folder);
    }

    private static int number(List<String> words, String option, int otherwise) {
        var at = words.indexOf(option);
        return at < 0 ? otherwise : Integer.parseInt(words.get(at + 1));
    }

    private void measure(int inFlight) throws Exception {
        Map<String, List<Double>> figures = new LinkedHashMap<>();
        for (var subject : SUBJECTS) {
            once(subject, inFlight, window);
            figures.put(subject.name(), new ArrayList<>());
        }
        for (var round = 0; round < rounds; round++) {
            for (var subject : SUBJECTS) {
                figures.getOrDefault(subject.name(), List.of()).add(once(subject, inFlight, window));
            }
        }
        print("raw", inFlight, figures, "raw");
        print("skeleton", inFlight, figures, "raw");
        print("pawl", inFlight, figures, "skeleton");
    }

    private double once(Subject subject, int inFlight, Duration howLong) throws Exception {
        var file = folder.resolve("w1.db");
        try {
            return subject.stepsPerSecond(file, inFlight, howLong);
        } finally {
            delete(folder);
        }
    }

    private void print(String subject, int inFlight, Map<String, List<Double>> figures, String bound) {
        var own = figures.getOrDefault(subject, List.of());
        var shares = new ArrayList<Double>();
        for (var i = 0; i < own.size(); i++) {
            shares.add(own.get(i) / figures.getOrDefault(bound, List.of()).get(i));
        }
        var share = median(shares);
        if (json) {
            System.out.printf(
                    "{\"bench\":\"W1\",\"store\":\"sqlite\",\"subject\":\"%s\",\"inFlight\":%d,\"perSecond\":%.0f,\"shareOfBound\":%.3f,"
                            + "\"bound\":\"%s\",\"lowest\":%.3f,\"highest\":%.3f,\"rounds\":%d}%n",
                    subject, inFlight, median(own), share, bound, lowest(shares), highest(shares), own.size());
        } else {
            System.out.printf(
                    "W1 sqlite  %-9s %4d in flight %9.0f steps/s   %5.1f %% of %-9s (%.1f to %.1f)%n",
                    subject, inFlight, median(own), 100 * share, bound, 100 * lowest(shares), 100 * highest(shares));
        }
    }

    private static double median(List<Double> values) {
        var sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    private static double lowest(List<Double> values) {
        return values.stream().min(Double::compare).orElse(0.0);
    }

    private static double highest(List<Double> values) {
        return values.stream().max(Double::compare).orElse(0.0);
    }

    private static void delete(Path folder) throws IOException {
        try (var paths = Files.walk(folder)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                if (!path.equals(folder)) {
                    Files.delete(path);
                }
            }
        }
    }
}
