package dev.pawl.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever form a secret takes, a mask is in its place, wherever the writing is cut. */
class SecretsTest {
    private static final String PEM =
            "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\nAASCBKcwggSjAgEAAoIBAQ/+==\n-----END PRIVATE KEY-----\n";
    private static final String LINES = PEM.strip();
    private static final String ODD = "p\"a\\s/é s%w😀rd-x1";
    private static final String TOKEN = "tok-12345678";
    private static final Secrets SECRETS = Secrets.of(List.of(PEM, ODD, TOKEN));

    /** Masks a text as a whole, in single bytes, and cut in two wherever it can be. */
    private static void masks(Secrets secrets, String text, String expected) {
        assertThat(secrets.masked(text)).isEqualTo(expected);
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        var singly = new ByteArrayOutputStream();
        var masking = new Masking(secrets, (some, length) -> singly.write(some, 0, length));
        for (var one : bytes) {
            masking.take(new byte[] {one}, 1);
        }
        masking.end(false);
        assertThat(singly.toString(StandardCharsets.UTF_8)).isEqualTo(expected);
        for (var cut = 0; cut <= bytes.length; cut++) {
            var halves = new ByteArrayOutputStream();
            var both = new Masking(secrets, (some, length) -> halves.write(some, 0, length));
            both.take(bytes, cut);
            both.take(Arrays.copyOfRange(bytes, cut, bytes.length), bytes.length - cut);
            both.end(false);
            assertThat(halves.toString(StandardCharsets.UTF_8))
                    .as("cut at %d", cut)
                    .isEqualTo(expected);
        }
    }

    private static void masks(String text, String expected) {
        masks(SECRETS, text, expected);
    }

    @Test
    void a_secret_is_found_as_it_is() {
        masks("it is tok-12345678, again tok-12345678tok-12345678", "it is ***, again ******");
        masks("tok-tok-12345678", "tok-***");
        masks("<" + PEM + ">", "<***\n>");
        masks("<" + ODD + ">", "<***>");
        masks(Secrets.of(List.of("a%5Cbcdefgh")), "x a%5Cbcdefgh y", "x *** y");
    }

    @Test
    void a_secret_is_found_as_json_writes_it_also_within_json() {
        masks("{\"k\":\"" + LINES.replace("\n", "\\n") + "\",\"n\":1}", "{\"k\":\"***\",\"n\":1}");
        masks("\"" + LINES.replace("\n", "\\n").replace("/", "\\/") + "\"", "\"***\"");
        masks("\"" + LINES.replace("\n", "\\r\\n") + "\"", "\"***\"");
        masks("{\\\"k\\\":\\\"" + LINES.replace("\n", "\\\\n") + "\\\"}", "{\\\"k\\\":\\\"***\\\"}");
        masks("\"p\\\"a\\\\s/\\u00e9 s%w\\ud83d\\ude00rd-x1\"", "\"***\"");
        masks("\"\\u0074ok\\u002D12345678\"", "\"***\"");
        masks(Secrets.of(List.of("abcd\\")), "\"abcd\\\\\" x", "\"***\" x");
    }

    @Test
    void a_secret_is_found_as_shells_and_addresses_write_it() {
        masks("p\\\"a\\\\s/é\\ s%w😀rd-x1.", "***.");
        var inAddress = URLEncoder.encode(ODD, StandardCharsets.UTF_8);
        masks("a=" + inAddress + "&b", "a=***&b");
        masks("a=" + inAddress.replace("+", "%20") + "&b", "a=***&b");
    }

    /** As {@code set -x} and {@code ${X@Q}} of a shell write it. */
    private static String traced(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    @Test
    void a_secret_with_a_quote_is_found_as_shells_trace_it() {
        var secret = "it's a 'secret''";
        var quoted = Secrets.of(List.of(secret));
        masks(quoted, "+ echo " + traced(secret), "+ echo '***''");
        masks(quoted, "+ echo " + traced(traced(secret)), "+ echo ''\\''***''\\'''");
        masks(quoted, "\"" + traced(secret).replace("\\", "\\\\") + "\"", "\"'***''\"");
        masks(quoted, "'it'\"'\"'s a '\"'\"'secret'\"''\"", "'***");
        masks(Secrets.of(List.of("'tis so")), traced("'tis so"), "''***'");
        masks(Secrets.of(List.of("'tis so")), "\"'\"'tis so'", "***'");
        masks(Secrets.of(List.of("a'\\''bcd")), "x a'\\''bcd y", "x *** y");
    }

    @Test
    void a_secret_of_several_lines_is_found_whatever_ends_and_indents_them_and_line_by_line() {
        masks(LINES.replace("\n", "\r\n") + "!", "***!");
        masks("k: |\n  " + LINES.replace("\n", "\n  ") + "\nx", "k: |\n  ***\nx");
        masks("1: MIIEvQIBADANBgkqhkiG9w0BAQEF\n2: AASCBKcwggSjAgEAAoIBAQ/+==\n", "1: ***\n2: ***\n");
    }

    @Test
    void a_secret_is_found_in_base64_whatever_is_before_it() {
        for (var before : List.of("", "u", "us", "user:")) {
            var header = Base64.getEncoder().encodeToString((before + TOKEN).getBytes(StandardCharsets.UTF_8));
            assertThat(SECRETS.masked("Basic " + header)).contains("***").hasSizeLessThan("Basic ".length() + 13);
        }
        var bytes = LINES.getBytes(StandardCharsets.UTF_8);
        assertThat(SECRETS.masked(Base64.getUrlEncoder().encodeToString(bytes))).isEqualTo("***Q==");
        assertThat(SECRETS.masked(Base64.getMimeEncoder().encodeToString(bytes)))
                .isEqualTo("***Q==");
        var inLines = Base64.getEncoder().encodeToString(bytes);
        for (var cut = 1; cut < 12; cut++) {
            assertThat(SECRETS.masked(inLines.substring(0, cut) + "\n" + inLines.substring(cut)))
                    .hasSizeLessThan(12);
        }
    }

    @Test
    void what_ends_a_line_is_not_held_back() {
        var shown = new ByteArrayOutputStream();
        var masking = new Masking(SECRETS, (some, length) -> shown.write(some, 0, length));
        for (var letter = 'A'; letter <= 'z'; letter++) {
            var line = (letter + "\n").getBytes(StandardCharsets.UTF_8);
            masking.take(line, line.length);
        }
        assertThat(shown.size()).isEqualTo(2 * ('z' - 'A' + 1));
    }

    @Test
    void what_was_held_back_and_is_none_is_not_lost() {
        masks("end tok-", "end tok-");
        masks("100% %5C \\n \\u00 tok-1234567", "100% %5C \\n \\u00 tok-1234567");
        var random = new Random(7);
        for (var i = 0; i < 200; i++) {
            var text = new StringBuilder();
            for (var n = random.nextInt(60); n > 0; n--) {
                text.append("tok-1234567\\%5u0n\n\r -BEGIN+".charAt(random.nextInt(27)));
            }
            if (!text.toString().contains("12345678")) {
                masks(text.toString(), text.toString());
            }
        }
    }

    @Test
    void half_a_secret_at_the_end_of_what_was_cut_off_is_masked() {
        var shown = new ByteArrayOutputStream();
        var masking = new Masking(SECRETS, (some, length) -> shown.write(some, 0, length));
        var cut = "it is tok-1234".getBytes(StandardCharsets.UTF_8);
        masking.take(cut, cut.length);
        assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo("it is ");
        masking.end(true);
        assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo("it is ***");
        assertThat(SECRETS.masked("a whole text: tok-1234")).endsWith("tok-1234");
    }

    @Test
    @Timeout(60)
    void a_long_run_of_whatever_is_handed_on_as_it_comes() {
        for (var one : List.of(
                "\\", "%5C", "\\u005c", "%", "\\u", " ", "\n", "\r\n", "\t", "t", "-", "A", "tok-1234567\\\\")) {
            var piece = one.repeat(8_192 / one.length()).getBytes(StandardCharsets.UTF_8);
            var shown = new ByteArrayOutputStream();
            var masking = new Masking(SECRETS, (some, length) -> shown.write(some, 0, length));
            var size = 0;
            while (size < (one.equals("\\") ? 8_000_000 : 500_000)) {
                masking.take(piece, piece.length);
                size += piece.length;
                assertThat(size - shown.size()).as("held back of %s", one).isLessThan(8_192);
            }
            masking.end(false);
            assertThat(shown.size()).as(one).isEqualTo(size);
        }
    }

    @Test
    void a_secret_after_a_long_run_of_backslashes_is_found() {
        var run = "\\".repeat(600);
        assertThat(SECRETS.masked(run + TOKEN)).endsWith("***").doesNotContain("tok");
        assertThat(SECRETS.masked(TOKEN + run + TOKEN)).startsWith("***\\").endsWith("\\***");
        assertThat(SECRETS.masked("tok" + "\\".repeat(255) + "-12345678.")).isEqualTo("***.");
    }

    @Test
    void what_cannot_be_masked_is_refused() {
        refused("", "batch b needs the secret TOKEN; set it in the environment");
        refused("abc\n", "fewer than 4 characters");
        refused("x".repeat(Secrets.MOST_CHARS + 1), "more than 32768 characters");
        refused("pass\uFFFDword", "set LC_ALL=C.UTF-8");
    }

    @Test
    void what_is_masked_around_us_is_masked_here_too() {
        var inside = Secrets.needed("batch b", List.of(), Map.of("PAWL_SECRETS", "TOKEN GONE", "TOKEN", TOKEN));
        assertThat(inside.masked("it is " + TOKEN)).isEqualTo("it is ***");
        assertThat(inside.names()).containsExactly("TOKEN");
    }

    private static void refused(String value, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Secrets.needed("batch b", List.of("TOKEN"), Map.of("TOKEN", value)))
                .withMessageContaining(why);
    }
}
