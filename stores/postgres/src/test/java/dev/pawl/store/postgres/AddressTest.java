package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What stands in an address, what comes from the environment, and what is shown of both. */
class AddressTest {
    private static final Map<String, String> ANNA = Map.of("PGUSER", "anna", "PGPASSWORD", "sesame");

    private static PGSimpleDataSource source(String address, Map<String, String> environment) {
        return (PGSimpleDataSource) Address.parse(address).source(environment);
    }

    @Test
    void what_the_address_says_comes_before_the_environment() {
        var theirs = source("jdbc:postgresql://h/d?user=u&password=p&ApplicationName=night&loginTimeout=3", ANNA);
        assertThat(theirs.getUser()).isEqualTo("u");
        assertThat(theirs.getPassword()).isEqualTo("p");
        assertThat(theirs.getApplicationName()).isEqualTo("night");
        assertThat(theirs.getLoginTimeout()).isEqualTo(3);
        var ours = source("jdbc:postgresql://h/d", ANNA);
        assertThat(ours.getUser()).isEqualTo("anna");
        assertThat(ours.getPassword()).isEqualTo("sesame");
        assertThat(ours.getApplicationName()).isEqualTo("pawl");
        assertThat(ours.getLoginTimeout()).isEqualTo(10);
        assertThat(source("jdbc:postgresql://h/d", Map.of()).getPassword()).isNull();
    }

    @Test
    void a_schema_is_named_and_nothing_secret_is_shown() {
        var address = Address.parse("jdbc:postgresql://h/d?user=u&password=p&pawlSchema=night");
        assertThat(address.schema()).isEqualTo("night");
        assertThat(address.url()).isEqualTo("jdbc:postgresql://h/d?user=u&password=p");
        assertThat(address.shown()).isEqualTo("jdbc:postgresql://h/d?user=u&pawlSchema=night");
        assertThat(Address.parse("jdbc:postgresql://h/d").shown()).isEqualTo("jdbc:postgresql://h/d");
    }

    @Test
    void what_is_no_address_is_refused_without_its_password() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Address.parse("jdbc:postgresql://u:sesame@h/d"))
                .withMessageContaining("?user=NAME")
                .withMessageNotContaining("sesame");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Address.parse("jdbc:postgresql://h/d?pawlTable=x"))
                .withMessageContaining("pawlSchema");
        assertThatIllegalArgumentException().isThrownBy(() -> new PostgresSchema("Not a name", "db"));
    }
}
