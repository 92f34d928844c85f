package dev.pawl.command;

import dev.pawl.command.Folder.Sight;
import dev.pawl.command.Start.Distance;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.KnownEnd;
import dev.pawl.key.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Where the folders of attempts are: below a root, the start of a machine, then the attempt's key, then one folder for each attempt. What earlier
 * states of Pawl laid out, under other roots or without a machine, is found too.
 *
 * @param roots today's, then those where earlier states may have laid something out
 * @param now the start of the machine that this is
 */
record Folders(List<Path> roots, Start now) {
    /** How an effect's attempt is called: its number and its fence. */
    private static final Pattern ATTEMPT = Pattern.compile("(\\d{1,9})-(\\d{1,18})");

    /**
     * A folder that is there.
     *
     * @param start whose it is
     * @param distance how far away that is
     */
    record FoundFolder(Folder folder, Start start, Distance distance) {}

    Folders {
        roots = roots.stream().map(Path::toAbsolutePath).toList();
    }

    /** Where new ones are made. */
    Path here() {
        return roots.getFirst().resolve(now.word());
    }

    Path home(Attempt attempt) {
        return here().resolve(attempt.key());
    }

    /** Where an attempt's folder is to be made; {@code name} tells it from others of the same key. */
    Folder fresh(Attempt attempt, String name) {
        return Folder.at(home(attempt).resolve(name));
    }

    /** The folder of an attempt, the nearest if there are several; empty when none is there. */
    Optional<FoundFolder> find(Attempt attempt, String name) throws IOException {
        return find(attempt.key(), name);
    }

    /** The same by the attempt's key. */
    Optional<FoundFolder> find(String key, String name) throws IOException {
        FoundFolder nearest = null;
        for (var place : places()) {
            var folder = Folder.at(place.resolve(key).resolve(name));
            var start = start(place);
            var distance = now.to(start);
            if ((nearest == null || distance.compareTo(nearest.distance()) < 0)
                    && !(folder.look() instanceof Sight.Absent)) {
                nearest = new FoundFolder(folder, start, distance);
            }
        }
        return Optional.ofNullable(nearest);
    }

    /** The folder that this start of the machine has for an attempt, else where it is to be made. */
    Folder ours(Attempt attempt, String name) throws IOException {
        return find(attempt, name)
                .filter(found -> found.distance() == Distance.HERE)
                .map(FoundFolder::folder)
                .orElse(fresh(attempt, name));
    }

    /**
     * Removes what is there of an effect or a step that is over. A command that a person did not wait for may still run, or may have said since
     * that it happened: that is left until it was told.
     */
    void tidy(Attempt attempt) throws IOException {
        for (var place : places()) {
            var home = place.resolve(attempt.key());
            var left = false;
            for (var one : in(home)) {
                if (isOther(one, attempt) && isStillToBeTold(Folder.at(one).look())) {
                    left = true;
                } else {
                    Folder.delete(one);
                }
            }
            if (!left) {
                Folder.delete(home);
            }
        }
    }

    /** Whether it is of another attempt of the same effect. */
    private static boolean isOther(Path one, Attempt attempt) {
        var name = String.valueOf(one.getFileName());
        return ATTEMPT.matcher(name).matches() && !name.equals(nameOf(attempt));
    }

    private static boolean isStillToBeTold(Sight sight) {
        return sight instanceof Sight.Running
                || (sight instanceof Sight.Ended ended && ended.exit().code() == 0);
    }

    /** What the folders of this machine know of effects' attempts. */
    List<KnownEnd> ends() throws IOException {
        var ends = new ArrayList<KnownEnd>();
        for (var place : places()) {
            if (now.to(start(place)) != Distance.ELSEWHERE) {
                for (var home : in(place)) {
                    for (var one : in(home)) {
                        addEnd(ends, String.valueOf(home.getFileName()), one);
                    }
                }
            }
        }
        return ends;
    }

    private static void addEnd(List<KnownEnd> ends, String key, Path one) {
        var name = ATTEMPT.matcher(String.valueOf(one.getFileName()));
        if (!name.matches()) {
            return;
        }
        try {
            var folder = Folder.at(one);
            var job = folder.job();
            var answer = ExitReader.known(folder);
            if (job.isPresent() && answer != null) {
                ends.add(new KnownEnd(
                        Identity.parse(job.get()),
                        key,
                        Integer.parseInt(name.group(1)),
                        Long.parseLong(name.group(2)),
                        answer,
                        UsageFile.in(folder.usage(), Secrets.NONE)));
            }
        } catch (IOException | IllegalArgumentException e) {
            // It is gone by now, or was laid out by nobody who knew how.
        }
    }

    /**
     * Removes what killed processes of this machine have left of jobs that are over. What has ended since is left until it was told too.
     *
     * @param told what was known of this machine's attempts and is told
     */
    void sweep(Collection<KnownEnd> told, Predicate<Identity> over) throws IOException {
        for (var place : places()) {
            var start = start(place);
            var distance = now.to(start);
            if (distance == Distance.ELSEWHERE && !start.machine().isEmpty()) {
                continue;
            }
            for (var home : in(place)) {
                try {
                    if (isOver(in(home).stream().map(Folder::at).toList(), over)
                            && (distance == Distance.ELSEWHERE || isTold(home, told))) {
                        Folder.delete(home);
                    }
                } catch (IOException e) {
                    // Somebody else removes it at this moment, or it cannot be removed: the next sweep comes.
                }
            }
            if (distance != Distance.HERE && in(place).isEmpty()) {
                Folder.delete(place);
            }
        }
    }

    /** Whether all is told that is known now of what ran there. */
    private static boolean isTold(Path home, Collection<KnownEnd> told) throws IOException {
        var known = new ArrayList<KnownEnd>();
        for (var one : in(home)) {
            addEnd(known, String.valueOf(home.getFileName()), one);
        }
        return known.stream().allMatch(end -> told.stream().anyMatch(otherEnd -> isSame(end, otherEnd)));
    }

    private static boolean isSame(KnownEnd one, KnownEnd otherEnd) {
        return one.key().equals(otherEnd.key()) && one.number() == otherEnd.number() && one.fence() == otherEnd.fence();
    }

    private static boolean isOver(List<Folder> attempts, Predicate<Identity> over) throws IOException {
        for (var attempt : attempts) {
            if (attempt.look() instanceof Sight.Running) {
                return false;
            }
        }
        try {
            var job = attempts.isEmpty()
                    ? null
                    : attempts.getFirst().order().more().get(CommandEnvironment.JOB);
            return job != null && over.test(Identity.parse(job));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** What runs now for a job, on this machine. */
    List<Folder> running(Identity identity) throws IOException {
        var running = new ArrayList<Folder>();
        for (var place : places()) {
            if (now.to(start(place)) == Distance.HERE) {
                for (var home : in(place)) {
                    addRunning(running, home, identity);
                }
            }
        }
        return running;
    }

    private static void addRunning(List<Folder> running, Path home, Identity identity) {
        try {
            for (var path : in(home)) {
                var folder = Folder.at(path);
                if (folder.look() instanceof Sight.Running
                        && folder.job().orElse("").equals(identity.toString())) {
                    running.add(folder);
                }
            }
        } catch (IOException e) {
            // It is gone by now, or only half there.
        }
    }

    /** Other machines that keep folders here too, by name. */
    List<String> otherMachines() throws IOException {
        var others = new TreeSet<String>();
        for (var place : places()) {
            var start = start(place);
            if (!start.host().isEmpty()
                    && now.to(start) == Distance.ELSEWHERE
                    && !in(place).isEmpty()) {
                others.add(start.host());
            }
        }
        return List.copyOf(others);
    }

    private static Start start(Path place) {
        return Start.of(String.valueOf(place.getFileName()));
    }

    /** All starts that have laid something out. */
    private List<Path> places() throws IOException {
        var places = new ArrayList<Path>();
        for (var root : roots) {
            places.addAll(in(root));
        }
        return places;
    }

    private static List<Path> in(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var all = Files.list(folder)) {
            return all.filter(Files::isDirectory).toList();
        }
    }

    /** How the folder of an effect's attempt is called. */
    static String nameOf(Attempt attempt) {
        return nameOf(attempt.number(), attempt.fence());
    }

    static String nameOf(int number, long fence) {
        return number + "-" + fence;
    }
}
