package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.time.Time;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happened twice is in the morning's look until a person has said that it was dealt with. */
class HappenedTwiceTest {
    @TempDir
    private Path folder;

    private String file() {
        return folder.resolve("pawl.db").toString();
    }

    @BeforeEach
    void somethingHappenedTwice() {
        try (var store = SqliteStore.open(Path.of(file()), Time.system())) {
            var driver = new StoreDriver(store);
            var held = driver.hold("7", driver.enlist(1));
            driver.apply(held.intend(1));
            driver.apply(held.didNotHappen(1));
            driver.apply(held.intend(2));
            driver.apply(held.happened(2));
            driver.apply(held.finish("1"));
            driver.apply(held.happened(1));
        }
    }

    @Test
    void what_happened_twice_is_in_status_with_its_exit_code_until_somebody_has_dealt_with_it() {
        var before = Typing.of("status", "--store=" + file());
        assertThat(before.code()).isEqualTo(3);
        assertThat(before.out())
                .contains(
                        "happened twice, or may have: 1; look at the destination, undo by hand what should not be there, then pawl discard JOB --note WHY",
                        "w/7");
        assertThat(Typing.of("status", "--json", "--store=" + file()).out()).contains("\"duplicated\":[\"w/7\"]");
        assertThat(Typing.of("show", "w/7", "--store=" + file()).out())
                .contains("attempt 1 happened too", "  key      ");

        var dealt = Typing.of("discard", "w/7", "--note", "refunded", "--by", "anna", "--store=" + file());
        assertThat(dealt.out()).contains("w/7: ");
        assertThat(dealt.code()).isZero();

        var after = Typing.of("status", "--store=" + file());
        assertThat(after.code()).isZero();
        assertThat(after.out()).contains("nothing needs you").doesNotContain("happened twice");
        assertThat(Typing.of("show", "w/7", "--store=" + file()).out()).contains("DONE", "refunded");
        assertThat(Typing.of("discard", "w/7", "--note", "again", "--store=" + file())
                        .code())
                .isNotZero();
    }
}
