package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** Whatever the README and the guide say to type is understood: no command and no option in them has another name by now. */
class GuideTest {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern INLINE = Pattern.compile("`(?:\\./)?pawl ([^`]+)`");

    private static List<Path> pages() throws IOException {
        try (var guide = Files.list(ROOT.resolve("docs/guide"))) {
            var pages = new ArrayList<>(guide.toList());
            pages.add(ROOT.resolve("README.md"));
            return pages;
        }
    }

    @Test
    void every_command_that_is_named_is_there_with_its_options() throws IOException {
        var looked = 0;
        var unknown = new ArrayList<String>();
        for (var page : pages()) {
            var named = INLINE.matcher(Files.readString(page));
            while (named.find()) {
                for (var form : forms(named.group(1))) {
                    looked++;
                    var trouble = trouble(form);
                    if (!trouble.isEmpty()) {
                        unknown.add(page.getFileName() + ": pawl " + named.group(1) + ": " + trouble);
                    }
                }
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(looked).isGreaterThan(50);
    }

    /** {@code retry|discard JOB… [--now]} is two forms. What is in brackets may be there, so it is. */
    private static List<String> forms(String named) {
        var plain = named.replaceAll("[\\[\\]…]", "").replaceAll("\"[^\"]*\"|'[^']*'", "X");
        var words = plain.strip().split("\\s+", 2);
        var rest = words.length > 1 ? " " + words[1] : "";
        return List.of(words[0].split("\\|")).stream().map(word -> word + rest).toList();
    }

    /** An option of a mention that its command has not; empty when it has all of them. What a mention leaves out is not missed. */
    private static String unknownOption(CommandLine command, List<String> rest) {
        for (var word : rest) {
            if (word.equals("--")) {
                return "";
            }
            for (var option : word.split("\\|")) {
                var name = option.split("=")[0].replaceAll("[^\\w-]+$", "");
                if (name.startsWith("--")
                        && !command.getCommandSpec().optionsMap().containsKey(name)) {
                    return "there is no option " + name;
                }
            }
        }
        return "";
    }

    private static String unknownOption(CommandLine line, String form) {
        var words = List.of(form.strip().split("\\s+"));
        var command = line.getSubcommands().get(words.getFirst());
        if (command == null) {
            return unknownOption(line, words);
        }
        var more = words.size() > 1 ? command.getSubcommands().get(words.get(1).split("\\|")[0]) : null;
        return unknownOption(more == null ? command : more, words.subList(1, words.size()));
    }

    @Test
    void an_option_that_is_not_there_is_found_also_where_a_required_one_is_left_out() {
        assertThat(trouble("retry JOB --soon")).isEqualTo("there is no option --soon");
        assertThat(trouble("batch run ROWS --nmae N -- CMD --any")).isEqualTo("there is no option --nmae");
        assertThat(trouble("retry JOB --now")).isEmpty();
        assertThat(trouble("batch run ROWS -- CMD --any")).isEmpty();
    }

    private static String trouble(String form) {
        var words = List.of(form.split("\\s+")).stream()
                .map(word -> word.split("\\|")[0])
                .map(word -> word.equals("N") ? "1" : word)
                .filter(word -> !word.isEmpty())
                .toArray(String[]::new);
        try {
            var line = Main.commandLine(words);
            if (line.getSubcommands().get(words[0]) == null && !words[0].startsWith("-")) {
                return "there is no such command";
            }
            var option = unknownOption(line, form);
            if (!option.isEmpty()) {
                return option;
            }
            line.parseArgs(words);
            return "";
        } catch (MissingParameterException e) {
            // A mention need not be whole.
            return "";
        } catch (ParameterException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
