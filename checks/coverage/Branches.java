import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/**
 * Reads a coverage report and fails on branches that no short suite took, except those in a list with reasons. Run by checks/coverage/run.
 */
public final class Branches {
    private static final int MOST_EXCEPTIONS = 20;

    private Branches() {}

    /** Arguments: the report, the list of exceptions, the seconds it took, and where the sources are. */
    public static void main(String[] arguments)
            throws IOException, ParserConfigurationException, SAXException {
        var exceptions = Files.readAllLines(Path.of(arguments[1])).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
        var sources = List.of(arguments).subList(3, arguments.length);
        var used = new HashSet<String>();
        var all = 0;
        var missed = 0;
        for (var file : files(Path.of(arguments[0]))) {
            var lines = file.getElementsByTagName("line");
            var name = ((Element) file.getParentNode()).getAttribute("name") + "/" + file.getAttribute("name");
            for (var i = 0; i < lines.getLength(); i++) {
                var line = (Element) lines.item(i);
                var here = Integer.parseInt(line.getAttribute("mb"));
                all += here + Integer.parseInt(line.getAttribute("cb"));
                var text = text(sources, name, Integer.parseInt(line.getAttribute("nr")));
                // Some exceptions are races, which a run may meet by chance: they are stale when their line is gone.
                var excepted = excepted(exceptions, file.getAttribute("name"), text, used);
                // Where a line only closes, the compiler closes what a try has opened, if that is not null: no branch of ours.
                if (here > 0 && !excepted && !text.equals("}")) {
                    missed += here;
                    System.err.println(name + ":" + line.getAttribute("nr") + " [" + here + "] " + text);
                }
            }
        }
        var stale = new ArrayList<>(exceptions);
        stale.removeAll(used);
        stale.forEach(line -> System.err.println("an exception that is none any more: " + line));
        System.err.println(all + " branches, " + missed + " not taken, " + exceptions.size() + " exceptions");
        System.out.println("{\"name\":\"coverage\",\"runs\":" + (all - missed) + ",\"lost\":" + missed
                + ",\"duplicated\":0,\"stuck\":0,\"paused\":0,\"seeds\":" + all + ",\"seconds\":" + arguments[2] + "}");
        System.exit(missed == 0 && stale.isEmpty() && exceptions.size() <= MOST_EXCEPTIONS && all > 0 ? 0 : 1);
    }

    private static List<Element> files(Path report) throws ParserConfigurationException, IOException, SAXException {
        var factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        var nodes = factory.newDocumentBuilder().parse(report.toFile()).getElementsByTagName("sourcefile");
        var files = new ArrayList<Element>();
        for (var i = 0; i < nodes.getLength(); i++) {
            files.add((Element) nodes.item(i));
        }
        return files;
    }

    private static final Map<String, List<String>> READ = new HashMap<>();

    private static String text(List<String> sources, String name, int line) throws IOException {
        var lines = READ.get(name);
        if (lines == null) {
            lines = List.of();
            for (var source : sources) {
                var file = Path.of(source, name);
                if (Files.exists(file)) {
                    lines = Files.readAllLines(file);
                }
            }
            READ.put(name, lines);
        }
        return line > lines.size() ? "" : lines.get(line - 1).strip();
    }

    /** An exception names a file and a part of the line: {@code File.java | part of the line | reason}. */
    private static boolean excepted(List<String> exceptions, String file, String text, Set<String> used) {
        for (var line : exceptions) {
            var fields = line.split("\\|", 3);
            if (fields.length == 3 && fields[0].strip().equals(file) && text.contains(fields[1].strip())) {
                used.add(line);
                return true;
            }
        }
        return false;
    }
}
