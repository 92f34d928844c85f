package dev.pawl.checks.crash.night;

import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Types what a page shows, as Anna on her laptop in Berlin would, and sees what she sees. */
final class Typist {
    private static final String THE_CHECKOUT = ".";
    private static final String BEHIND = " &";
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Duration TO_TYPE_ALL = Duration.ofMinutes(1);

    private final Path root;
    private final Path home;
    private int sessions;
    private Path here;
    private Path place;
    private final Databases databases;
    private final List<Process> behind = new ArrayList<>();

    Typist(Path root, Path home, Databases databases) {
        this.root = root;
        this.home = home;
        this.databases = databases;
        this.here = home;
        this.place = home;
    }

    /** Begins in a fresh copy of {@code folder}, or in the checkout itself, with a store of nobody else. */
    void sitDown(String folder) throws IOException, InterruptedException {
        awaitTheNewDay();
        sessions++;
        databases.nextSession();
        here = Files.createDirectories(home.resolve("anna-" + sessions));
        var words = Files.createDirectories(home.resolve("words"));
        if (!Files.exists(words.resolve("pawl"))) {
            Files.createSymbolicLink(words.resolve("pawl"), root.resolve("pawl"));
        }
        place = folder.equals(THE_CHECKOUT) ? root : here;
        if (place.equals(root)) {
            return;
        }
        try (var files = Files.list(root.resolve(folder))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, here.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** What is typed once a day is not typed on both sides of midnight. */
    private static void awaitTheNewDay() throws InterruptedException {
        var midnight = LocalTime.MAX.minus(TO_TYPE_ALL);
        while (LocalTime.ofInstant(Time.system().now(), BERLIN).isAfter(midnight)) {
            Time.system().await(Duration.ofSeconds(1));
        }
    }

    /** Ends what was left running behind, once it has done what there is to do; it ends well. */
    void getUp() throws IOException, InterruptedException {
        for (var process : behind) {
            while (!type(databases.leftToDo()).isEmpty()) {
                Time.system().await(Duration.ofMillis(200));
            }
            process.destroy();
            if (process.waitFor() != 0) {
                throw new IllegalStateException("what was left running ended with " + process.exitValue());
            }
        }
        behind.clear();
    }

    /** What is seen when {@code line} is typed. What ends with an ampersand is left running, and what it prints is not looked at. */
    String type(String line) throws IOException, InterruptedException {
        if (line.endsWith(BEHIND)) {
            var words = "exec " + line.substring(0, line.length() - BEHIND.length());
            behind.add(shell(words)
                    .redirectOutput(here.resolve("behind.log").toFile())
                    .start());
            return "";
        }
        var process = shell(line).start();
        process.getOutputStream().close();
        var seen = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(4, TimeUnit.MINUTES)) {
            throw new IllegalStateException(line + " does not end");
        }
        return databases
                .asOnThePage(seen)
                .replace(here.toRealPath().toString(), "/home/anna")
                .replace(here.toString(), "/home/anna")
                .replaceAll("\\b" + System.getProperty("user.name") + "\\b", "anna")
                .replace(host(), "laptop");
    }

    private ProcessBuilder shell(String line) {
        var builder = new ProcessBuilder("sh", "-c", databases.reachable(line))
                .directory(place.toFile())
                .redirectErrorStream(true);
        var environment = builder.environment();
        environment.put("HOME", here.toString());
        environment.put("TZ", BERLIN.getId());
        environment.put("PATH", home.resolve("words") + ":" + environment.get("PATH"));
        environment.remove("PAWL_STORE");
        environment.remove("XDG_DATA_HOME");
        return builder;
    }

    private static String host() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    }
}
