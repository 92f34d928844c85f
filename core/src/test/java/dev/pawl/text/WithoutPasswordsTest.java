package dev.pawl.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** No password of an address is shown, and whoever writes a long text keeps nobody busy with it. */
class WithoutPasswordsTest {
    private static final int LONG = 1_000_000;

    @Test
    void a_password_is_hidden_however_the_address_is_spelled() {
        assertThat(WithoutPasswords.of("jdbc:postgresql://anna:pa:ss@w/ord@db/x failed"))
                .isEqualTo("jdbc:postgresql://…@db/x failed");
        assertThat(WithoutPasswords.of("see https://anna:hush@forge.example/x?a=b"))
                .isEqualTo("see https://…@forge.example/x?a=b");
        assertThat(WithoutPasswords.of("jdbc:postgresql://db/x?user=a&password=hush&sslPassword=h2;%70assword=h3 b=c"))
                .isEqualTo("jdbc:postgresql://db/x?user=a&password=…&sslPassword=…;%70assword=… b=c");
        assertThat(WithoutPasswords.of("a=token=hush&x==y")).isEqualTo("a=token=…&x==y");
        assertThat(WithoutPasswords.of("{password=hu=sh x=y"))
                .as("a password may hold a sign too")
                .isEqualTo("{password=… x=y");
    }

    @Test
    void what_is_none_stands() {
        for (var plain :
                new String[] {"", "=", "a=b", "jdbc:postgresql://db:5432/x?user=a", "12:30 anna@db", "x".repeat(10)}) {
            assertThat(WithoutPasswords.of(plain)).isEqualTo(plain);
        }
    }

    @Test
    void a_text_of_a_million_characters_is_read_once_whatever_it_is_made_of() {
        for (var piece : new String[] {"x", "=", "x=", "://a:", "jdbc:postgresql:", "jdbc:postgresql:a:", "%70"}) {
            var text = piece.repeat(LONG / piece.length());
            var shown = assertTimeoutPreemptively(Duration.ofSeconds(30), () -> WithoutPasswords.of(text), piece);
            assertThat(shown).isEqualTo(text);
        }
    }
}
