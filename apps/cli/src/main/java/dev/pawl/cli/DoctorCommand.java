package dev.pawl.cli;

import dev.pawl.command.Commands;
import dev.pawl.command.Minders;
import dev.pawl.command.Program;
import dev.pawl.desk.Fields;
import dev.pawl.store.StoreFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code pawl doctor}: what of this machine would keep Pawl from keeping its promises, and what to set. */
@Command(
        name = "doctor",
        description =
                "Say what of this machine would keep Pawl from keeping its promises, and what to set. Exits with 1 when something would. Example: pawl doctor",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    private static final int ANSWERS_WITHIN_SECONDS = 5;
    private static final Set<String> NETWORK =
            Set.of("nfs", "nfs4", "cifs", "smb2", "smb3", "smbfs", "fuse.sshfs", "9p", "afs", "ceph", "glusterfs");

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Override
    public Integer call() throws IOException {
        var path = store.beside("commands").getParent();
        var troubles = new ArrayList<String>();
        programs(troubles);
        minder(troubles);
        folder(path, troubles);
        var where = store.isFile() ? "the store is in " + path : database(troubles);
        otherMachines(troubles);
        var cgroup = read(Path.of("/proc/self/cgroup"));
        var service = serviceThatKillsAll(
                Map.copyOf(System.getenv()), cgroup, unit -> killMode(unit, cgroup.contains("/user@")));
        if (service != null) {
            troubles.add(service);
        }
        troubles.forEach(trouble -> json.say("look: " + trouble, Fields.of("trouble", trouble)));
        if (troubles.isEmpty()) {
            json.say("all is well; " + where, Fields.of("well", true, "folder", String.valueOf(path)));
        }
        return troubles.isEmpty() ? 0 : 1;
    }

    /** Asks the database that the store is in; what it says is a trouble when it does not let us in. */
    private String database(List<String> troubles) {
        try {
            return store.isThere()
                    ? "the store answers at " + store.shown()
                    : "there is no store yet at " + store.shown() + ", whose database answers";
        } catch (StoreFailure failure) {
            troubles.add(String.valueOf(failure.getMessage()));
            return "";
        }
    }

    /** What two machines keep in one folder is told apart; what the other one runs cannot be seen from here. */
    private void otherMachines(List<String> troubles) throws IOException {
        var roots = new ArrayList<>(List.of(store.beside("commands")));
        if (!store.isFile()) {
            try (var all = Files.newDirectoryStream(roots.getFirst().getParent(), "store-*-commands")) {
                all.forEach(roots::add);
            } catch (NoSuchFileException e) {
                // Nothing was run here yet.
            }
        }
        for (var host : Commands.otherMachines(roots)) {
            troubles.add("another machine, " + host + ", keeps its commands in "
                    + roots.getFirst().getParent()
                    + " too, and what runs there cannot be seen from here; give each machine a folder of its own with"
                    + " XDG_DATA_HOME, or a store of its own. If " + host
                    + " is gone for good, or is what this machine was called before, it can be removed once none of"
                    + " its jobs is open");
        }
    }

    private static void programs(List<String> troubles) {
        for (var needed : List.of("setsid", "kill", "sh")) {
            var trouble = Program.trouble(needed, Path.of("/"), Map.of());
            if (trouble != null) {
                troubles.add(trouble + "; commands cannot be minded without it (Debian: util-linux, procps, dash)");
            }
        }
    }

    private static void minder(List<String> troubles) {
        var trouble = Minders.trouble();
        if (trouble != null) {
            troubles.add("no command can be run, because its minder cannot be started: " + trouble);
        }
    }

    private static void folder(@Nullable Path folder, List<String> troubles) throws IOException {
        var there = folder;
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        if (there == null || !Files.isDirectory(there) || !Files.isWritable(there)) {
            troubles.add("nothing can be written to " + there + "; name another store with --store FILE or PAWL_STORE");
            return;
        }
        var full = Room.trouble(there);
        if (full != null) {
            troubles.add(full);
        }
        var type = Files.getFileStore(there).type();
        if (NETWORK.contains(type)) {
            troubles.add("the store is on a " + type
                    + " file system, whose locks do not tell the truth; put it on a local disk");
        }
        if (type.equals("tmpfs")) {
            troubles.add(
                    "the store is in memory (tmpfs), and gone when the machine is started again; put it on a disk");
        }
    }

    /** Under systemd a service's processes die together, unless it is told otherwise: then a minder dies with its Pawl. */
    static @Nullable String serviceThatKillsAll(
            Map<String, String> environment, String cgroup, UnaryOperator<String> killMode) {
        var last = cgroup.strip();
        last = last.substring(last.lastIndexOf('/') + 1);
        if (!environment.containsKey("INVOCATION_ID") || !last.endsWith(".service") || last.startsWith("user@")) {
            return null;
        }
        if (List.of("process", "none").contains(killMode.apply(last))) {
            return null;
        }
        return "systemd's " + last
                + " runs Pawl: when it is stopped, its commands and their minder are killed too, unless the unit says"
                + " KillMode=process under [Service]";
    }

    /** How systemd ends a service, in its own word; empty when it does not say. */
    private static String killMode(String service, boolean ofAUser) {
        try {
            var command = new ArrayList<>(List.of("systemctl", "show", "--property=KillMode", "--value"));
            if (ofAUser) {
                command.add("--user");
            }
            command.addAll(List.of("--", service));
            var asked = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!asked.waitFor(ANSWERS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                asked.destroyForcibly();
                return "";
            }
            return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
