package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.StoreAddress;
import dev.pawl.event.Events;
import dev.pawl.guard.Guard;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A guard is one per name and store on a machine. */
class GuardsOnPostgresTest {
    @TempDir
    private Path home;

    private Guard.TryResult take(String folder) throws Exception {
        return Guard.take(home.resolve(".local/share/pawl/" + folder), "guard g", "process 1", Time.system());
    }

    private static String[] guard(String address) {
        return new String[] {"guard", "--name=g", "--store=" + address, "--", "echo", "ran"};
    }

    @Test
    void there_is_one_guard_of_a_name_however_its_database_is_spelled_and_beside_one_of_an_earlier_version()
            throws Exception {
        try (var server = PostgresServer.start()) {
            var one = server.url();
            var other = one + (one.contains("?") ? "&" : "?") + "ApplicationName=other";
            var options = PawlOptions.usual().log(Events.NOWHERE);
            String id;
            try (var pawl = Pawl.openOrCreate(one, options)) {
                id = pawl.operator().storeIdentity().orElseThrow();
            }
            var held = (Guard.TryResult.Ours) take("store-" + id + "-guards");
            assertThat(TypedThere.typed(home, Map.of(), guard(one), guard(other)))
                    .hasSize(2)
                    .allMatch(said -> said.contains("guard g is running, by process 1") && !said.contains("ran"));
            held.guard().close();

            var spelled = new Identity("store", Key.of(StoreAddress.of(one).shown()))
                    .hash()
                    .substring(0, 12);
            var earlier = (Guard.TryResult.Ours) take("at-" + spelled + "-guards");
            assertThat(TypedThere.typed(home, Map.of(), guard(one)))
                    .singleElement()
                    .asString()
                    .contains("guard g is running, by process 1");
            earlier.guard().close();
            assertThat(TypedThere.typed(home, Map.of(), guard(one), guard("jdbc:postgresql://127.0.0.1:1/x")))
                    .as("and a guard without a key runs its command while its database is away")
                    .allMatch(said -> said.startsWith("0 guard"));
        }
    }

    @Test
    void a_database_that_was_restored_closes_one_gate_for_everybody() throws Exception {
        try (var server = PostgresServer.start()) {
            var options = PawlOptions.usual().log(Events.NOWHERE);
            Pawl.openOrCreate(server.url(), options).close();
            var store = "--store=" + server.url();
            var said = TypedThere.typed(
                    home, Map.of(), new String[] {"restored", store}, new String[] {"gates", store}, new String[] {
                        "status", "--restored", store
                    });
            assertThat(said.getFirst())
                    .startsWith("0 ")
                    .contains("everybody waits", "pawl open store/restored --store ");
            assertThat(said.get(1)).contains("gate store/restored is closed", "restored from a backup");
            assertThat(said.getLast()).contains("pawl restored --store");
        }
    }
}
