package dev.pawl.store.postgres;

import dev.pawl.text.WithoutPasswords;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import javax.sql.DataSource;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.hostchooser.HostRequirement;
import org.postgresql.jdbc.GSSEncMode;
import org.postgresql.jdbc.SslMode;
import org.postgresql.util.PSQLException;

/**
 * Where a store is: {@code jdbc:postgresql://HOST:PORT/DATABASE?…} as the driver takes it, with one more parameter, {@code pawlSchema}.
 *
 * @param url as the driver takes it, with everything secret in it
 * @param schema in which the tables are
 * @param shown without the password and whatever else may be secret
 */
record Address(String url, String schema, String shown) {
    /** What every address begins with. */
    static final String PREFIX = "jdbc:postgresql:";

    /** The schema unless said. */
    static final String USUAL_SCHEMA = "pawl";

    private static final String SCHEMA = "pawlSchema";

    private static final int CONNECT_SECONDS = 10;

    /** The parameters that may be shown; every other one might be a secret. */
    private static final List<String> HARMLESS =
            List.of(SCHEMA.toLowerCase(Locale.ROOT), "user", "sslmode", "targetservertype");

    /** Reads an address. */
    static Address parse(String text) {
        var at = text.indexOf('?');
        var head = at < 0 ? text : text.substring(0, at);
        var kept = new ArrayList<String>();
        var shown = new ArrayList<String>();
        var schema = USUAL_SCHEMA;
        for (var parameter :
                at < 0 ? List.<String>of() : List.of(text.substring(at + 1).split("&"))) {
            var name = parameter.split("=", 2)[0];
            if (name.equals(SCHEMA)) {
                schema = URLDecoder.decode(parameter.substring(name.length() + 1), StandardCharsets.UTF_8);
            } else if (name.toLowerCase(Locale.ROOT).startsWith("pawl")) {
                throw new IllegalArgumentException("an address has no parameter " + name + "; there is " + SCHEMA);
            } else {
                kept.add(parameter);
            }
            if (HARMLESS.contains(name.toLowerCase(Locale.ROOT))) {
                shown.add(parameter);
            }
        }
        if (head.contains("@")) {
            throw new IllegalArgumentException(withoutUser(head)
                    + " has a user before the host; give it as ?user=NAME, and the password in PGPASSWORD");
        }
        var url = head + (kept.isEmpty() ? "" : "?" + String.join("&", kept));
        var parsed = Driver.parseURL(url, null);
        if (parsed == null) {
            // What it says is not repeated: nobody knows which part of it is a password.
            throw new IllegalArgumentException(
                    "that is no address of a PostgreSQL database; write it as jdbc:postgresql://HOST:PORT/DATABASE");
        }
        var server = WithoutPasswords.of(withoutUser(head));
        check(parsed, server);
        return new Address(url, schema, server + (shown.isEmpty() ? "" : "?" + String.join("&", shown)));
    }

    /** The driver reads some words only when it connects, and what it says then cannot be told from a server that is away. */
    private static void check(Properties parsed, String shown) {
        try {
            SslMode.of(parsed);
            GSSEncMode.of(parsed);
            HostRequirement.getTargetServerType(
                    Objects.requireNonNull(PGProperty.TARGET_SERVER_TYPE.getOrDefault(parsed)));
        } catch (PSQLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    shown + " cannot be connected to like that; mend the address (" + e.getMessage() + ")", e);
        }
    }

    /** Some write the user before the host, as other addresses have it; the driver would take it for a host. */
    private static String withoutUser(String head) {
        var at = head.lastIndexOf('@');
        return at < 0 ? head : PREFIX + "//" + head.substring(at + 1);
    }

    /** Connections to it; user and password that it does not name come from {@code PGUSER} and {@code PGPASSWORD}. */
    DataSource source(Map<String, String> environment) {
        var source = new PGSimpleDataSource();
        source.setUrl(url);
        if (source.getUser() == null && environment.get("PGUSER") != null) {
            source.setUser(environment.get("PGUSER"));
        }
        if (source.getPassword() == null && environment.get("PGPASSWORD") != null) {
            source.setPassword(environment.get("PGPASSWORD"));
        }
        if (Objects.equals(source.getApplicationName(), PGProperty.APPLICATION_NAME.getDefaultValue())) {
            source.setApplicationName("pawl");
        }
        if (source.getLoginTimeout() == 0) {
            source.setLoginTimeout(CONNECT_SECONDS);
        }
        source.setTcpKeepAlive(true);
        return source;
    }
}
