package dev.pawl.cli;

import dev.pawl.cli.demo.Demo;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code pawl demo}: an overnight batch, killed twice. */
@Command(
        name = "demo",
        description =
                "Post ten articles to a small local site while the worker is killed twice, and count what arrived. Example: pawl demo",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {

    @Override
    public Integer call() throws Exception {
        return new Demo(System.out, Boolean.getBoolean("pawl.terminal")).run();
    }
}
