import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/** Reads what one round of the tests came to, and says what all of them did. Run from source: {@code java Rounds.java read|tell …}. */
final class Rounds {
    private static final int TOLD = 20;

    /** One test of one round. */
    private record Tested(String name, double seconds, String why) {
        private boolean red() {
            return !why.isEmpty();
        }
    }

    private Rounds() {}

    /** {@code read FOLDER STATE ROUND SECONDS} after a round, {@code tell FOLDER STATE SECONDS} after the last. */
    public static void main(String[] arguments) throws Exception {
        var folder = Path.of(arguments[1]);
        if (arguments[0].equals("read")) {
            read(folder, arguments[2], Integer.parseInt(arguments[3]), arguments[4]);
        } else {
            System.exit(tell(folder, arguments[2], arguments[3]));
        }
    }

    private static void read(Path folder, String state, int round, String seconds) throws Exception {
        var tests = new ArrayList<Tested>();
        for (var report : reports()) {
            tests.addAll(tests(report));
        }
        if (tests.isEmpty()) {
            throw new IllegalStateException("no test ran");
        }
        var red = tests.stream().filter(Tested::red).toList();
        for (var one : red) {
            Files.writeString(
                    folder.resolve("red-" + state + "-" + round + ".txt"),
                    one.name() + "\n" + one.why() + "\n\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
        var longest = longest(folder, state);
        for (var one : tests) {
            longest.merge(one.name(), one.seconds(), Math::max);
        }
        Files.write(
                folder.resolve("longest-" + state + ".txt"),
                longest.entrySet().stream()
                        .map(one -> one.getValue() + " " + one.getKey())
                        .toList());
        var line = "state=" + state + " round=" + round + " tests=" + tests.size() + " red=" + red.size() + " seconds="
                + seconds + (red.isEmpty() ? "" : " which=" + red.stream().map(Tested::name).toList());
        Files.writeString(
                folder.resolve("rounds.txt"), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        System.out.println(line);
    }

    private static List<Path> reports() throws IOException {
        try (var files = Files.walk(Path.of("."))) {
            return files.filter(file -> file.toString().matches(".*/surefire-reports/TEST-.*\\.xml"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Tested> tests(Path report) throws Exception {
        var cases = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getElementsByTagName("testcase");
        var tests = new ArrayList<Tested>();
        for (var i = 0; i < cases.getLength(); i++) {
            var one = (Element) cases.item(i);
            var why = new StringBuilder();
            for (var kind : List.of("failure", "error", "skipped")) {
                var found = one.getElementsByTagName(kind);
                if (found.getLength() > 0) {
                    why.append(kind).append(": ").append(found.item(0).getTextContent().strip());
                }
            }
            var seconds = Double.parseDouble(one.getAttribute("time").replace(",", ""));
            tests.add(new Tested(
                    one.getAttribute("classname") + "." + one.getAttribute("name"), seconds, why.toString()));
        }
        return tests;
    }

    /** How long each test took at most, so far. */
    private static Map<String, Double> longest(Path folder, String state) throws IOException {
        var file = folder.resolve("longest-" + state + ".txt");
        var longest = new TreeMap<String, Double>();
        for (var line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
            var words = line.split(" ", 2);
            longest.put(words[1], Double.parseDouble(words[0]));
        }
        return longest;
    }

    private static int tell(Path folder, String state, String seconds) throws IOException {
        longest(folder, state).entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(TOLD)
                .forEach(one -> System.err.printf(Locale.ROOT, "%6.1f s at most: %s%n", one.getValue(), one.getKey()));
        var lines = Files.readAllLines(folder.resolve("rounds.txt")).stream()
                .filter(line -> line.startsWith("state=" + state + " "))
                .toList();
        var red = lines.stream().filter(line -> !line.contains(" red=0 ")).toList();
        red.forEach(System.err::println);
        System.out.printf(
                Locale.ROOT,
                "{\"name\":\"flaky\",\"runs\":%d,\"lost\":0,\"duplicated\":0,\"stuck\":0,\"paused\":0,\"seeds\":0,\"seconds\":%s,\"red\":%d}%n",
                lines.size(),
                seconds,
                red.size());
        return red.isEmpty() && !lines.isEmpty() ? 0 : 1;
    }
}
