package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What of a machine would keep Pawl from keeping its promises. */
class DoctorTest {

    @Test
    void a_service_manager_that_would_kill_the_minder_too_is_told_with_what_to_set() {
        var invoked = Map.of("INVOCATION_ID", "1");
        assertThat(DoctorCommand.serviceThatKillsAll(
                        invoked, "0::/system.slice/nightly.service\n", unit -> "control-group"))
                .contains("nightly.service", "KillMode=process");
        assertThat(DoctorCommand.serviceThatKillsAll(
                        invoked, "0::/user.slice/user-1000.slice/session-2.scope\n", unit -> "control-group"))
                .isNull();
        assertThat(DoctorCommand.serviceThatKillsAll(
                        invoked, "0::/user.slice/user@1000.service\n", unit -> "control-group"))
                .isNull();
        assertThat(DoctorCommand.serviceThatKillsAll(
                        Map.of(), "0::/system.slice/cron.service\n", unit -> "control-group"))
                .isNull();
        assertThat(DoctorCommand.serviceThatKillsAll(invoked, "", unit -> "control-group"))
                .isNull();
        assertThat(DoctorCommand.serviceThatKillsAll(
                        invoked,
                        "0::/system.slice/nightly.service\n",
                        unit -> unit.equals("nightly.service") ? "process" : ""))
                .as("it was told already")
                .isNull();
    }

    @Test
    void a_database_that_does_not_answer_is_told() {
        var away = Typing.of("doctor", "--store=jdbc:postgresql://127.0.0.1:1/x");
        assertThat(away.code()).isEqualTo(1);
        assertThat(away.out()).contains("look: jdbc:postgresql://127.0.0.1:1/x does not answer");
    }

    @Test
    void a_store_that_cannot_be_written_is_told(@TempDir Path folder) throws IOException {
        var fine = Typing.of("doctor", "--store=" + folder.resolve("pawl.db"));
        assertThat(fine.out()).containsAnyOf("all is well", "tmpfs", "systemd");
        Files.createFile(folder.resolve("file"));
        var nowhere = Typing.of("doctor", "--store=" + folder.resolve("file").resolve("pawl.db"));
        assertThat(nowhere.code()).isEqualTo(1);
        assertThat(nowhere.out()).contains("look: ");
    }

    @Test
    void another_machine_that_keeps_its_commands_in_the_same_folder_is_told(@TempDir Path folder) throws IOException {
        Files.createDirectories(folder.resolve("pawl.db-commands/web2.0123456789ab.feed/some-key/1-1"));
        var shared = Typing.of("doctor", "--store=" + folder.resolve("pawl.db"));
        assertThat(shared.code()).isEqualTo(1);
        assertThat(shared.out()).contains("look: another machine, web2, keeps its commands in " + folder);
    }
}
