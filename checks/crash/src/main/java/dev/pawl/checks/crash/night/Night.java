package dev.pawl.checks.crash.night;

import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A batch whose command takes its time and appends its key to a file, without any care of its own; Pawl is killed again and again, at random
 * moments, and then run to the end. The file is the judge.
 */
public final class Night {
    /** The command says when it begins and when it has done its work. */
    private static final String COMMAND = """
            #!/bin/sh
            read -r row
            echo "$PAWL_KEY" >> begun.txt
            while test -e hold; do sleep 0.05; done
            seconds=${row##*:}
            sleep "${seconds%?}"
            echo "$PAWL_KEY" >> tally.txt
            """;

    private final Shell shell;
    private final int rows;
    private final Random random;
    private int kills;
    private int inside;
    private int minders;

    Night(Path pawl, Path folder, int rows, long seed) throws IOException {
        this.shell = new Shell(pawl, folder);
        this.rows = rows;
        this.random = new Random(seed);
        shell.script("command.sh", COMMAND);
        var lines = new ArrayList<String>();
        for (var i = 1; i <= rows; i++) {
            lines.add("{\"id\":\"row-" + i + "\",\"seconds\":0." + (random.nextInt(450) + 550) % 1000 / 2 + "}");
        }
        Files.write(folder.resolve("rows.jsonl"), lines);
    }

    /** {@code FOLDER PAWL KILLS}: kills Pawl so often, then Pawl and its minders; says in one line of JSON what came of it. */
    public static void main(String[] arguments) throws Exception {
        var time = Time.system();
        var start = time.nanos();
        var pawl = Path.of(arguments[1]).toAbsolutePath();
        var kills = Integer.parseInt(arguments[2]);
        var first =
                new Night(pawl, Files.createDirectories(Path.of(arguments[0]).resolve("pawl")), 200, 1);
        first.kills(kills, false);
        var all = first.end();
        var second =
                new Night(pawl, Files.createDirectories(Path.of(arguments[0]).resolve("minders")), 200, 2);
        second.kills(Math.max(1, kills / 3), true);
        var doubtful = second.end();
        var guards = guards(
                new Shell(pawl, Files.createDirectories(Path.of(arguments[0]).resolve("guards"))), 50);
        var wrong = all.lost()
                + all.duplicated()
                + all.paused()
                + doubtful.duplicated()
                + doubtful.lost()
                + (first.inside < kills / 2 ? 1 : 0)
                + (second.minders == 0 ? 1 : 0)
                + (guards == 1 ? 0 : 1);
        System.out.println("{\"name\":\"night\",\"runs\":" + (all.done() + doubtful.done()) + ",\"lost\":"
                + (all.lost() + doubtful.lost()) + ",\"duplicated\":" + (all.duplicated() + doubtful.duplicated())
                + ",\"stuck\":0,\"paused\":" + (all.paused() + doubtful.paused()) + ",\"seeds\":0,\"seconds\":"
                + Duration.ofNanos(time.nanos() - start).toSeconds() + ",\"kills\":" + (first.kills + second.kills)
                + ",\"inside\":" + first.inside + ",\"minders\":" + second.minders
                + ",\"guardsOf50\":" + guards + "}");
        System.exit(wrong == 0 && all.done() > 0 ? 0 : 1);
    }

    /** Starts so many guards of one name together. Returns how many of them ran their command. */
    static int guards(Shell shell, int many) throws IOException, InterruptedException {
        shell.script("command.sh", "#!/bin/sh\necho run >> runs; while ! test -e go; do sleep 0.1; done; exit 7\n");
        var all = new ArrayList<Process>();
        for (var i = 0; i < many; i++) {
            all.add(shell.start("guard-" + i, "guard", "--name", "backup", "--", "./command.sh"));
        }
        // Nobody who runs the command ends before all others have.
        while (all.stream().filter(Process::isAlive).count() > lines(shell, "runs")) {
            Time.system().await(Duration.ofMillis(20));
        }
        Files.createFile(shell.folder().resolve("go"));
        var ran = 0;
        for (var one : all) {
            ran += one.waitFor() == 7 ? 1 : 0;
        }
        return ran == lines(shell, "runs") ? ran : -ran;
    }

    private static int lines(Shell shell, String file) throws IOException {
        var path = shell.folder().resolve(file);
        return Files.exists(path) ? Files.readAllLines(path).size() : 0;
    }

    /**
     * What a night came to.
     *
     * @param done keys that are in the file
     * @param lost rows of which neither the file nor a question tells
     * @param duplicated keys that are in it more than once
     * @param paused rows that ask a person
     */
    record Morning(int done, int lost, int duplicated, int paused) {}

    private String[] batch() {
        return new String[] {
            "batch", "run", "rows.jsonl", "--name", "nightly", "--key", "id", "-j", "8", "--", "./command.sh"
        };
    }

    /** Starts Pawl and kills it at a random moment, so often. */
    void kills(int many, boolean mindersToo) throws IOException, InterruptedException {
        for (var i = 0; i < many; i++) {
            var name = "killed-" + i;
            var hold = shell.folder().resolve("hold");
            if (mindersToo) {
                // No command ends before its minder is killed.
                Files.write(hold, new byte[0]);
            }
            var process = shell.start(name, batch());
            // Some die at any moment from their start on, most of them at one while commands run.
            var early = i % 4 == 3;
            if (!early) {
                untilSomethingRuns(process);
            }
            if (process.waitFor(random.nextInt(early ? 1_000 : 300), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        "there was nothing left to kill: " + shell.said(name, process.exitValue()));
            }
            if (!early) {
                untilSomethingRuns(process);
            }
            inside += running() > 0 ? 1 : 0;
            process.destroyForcibly().waitFor();
            kills++;
            if (mindersToo) {
                minders += shell.killMinders();
                Files.delete(hold);
            }
        }
    }

    private void untilSomethingRuns(Process process) throws IOException, InterruptedException {
        while (running() == 0 && process.isAlive()) {
            Time.system().await(Duration.ofMillis(10));
        }
    }

    /** How many commands have begun and not done their work. */
    private int running() throws IOException {
        return keys("begun.txt").size() - keys("tally.txt").size();
    }

    private List<String> keys(String file) throws IOException {
        var path = shell.folder().resolve(file);
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    /** Runs it to the end, and counts. */
    Morning end() throws IOException, InterruptedException {
        var said = shell.run("last", batch());
        var paused =
                shell.run("jobs", "jobs", "--state", "paused").out().lines().count();
        if (said.code() != (paused == 0 ? 0 : 3)) {
            throw new IllegalStateException("the last run ends with " + said);
        }
        var keys = keys("tally.txt");
        var different = new HashSet<>(keys).size();
        return new Morning(
                different, (int) Math.max(0, rows - different - paused), keys.size() - different, (int) paused);
    }

    int inside() {
        return inside;
    }

    int minders() {
        return minders;
    }
}
