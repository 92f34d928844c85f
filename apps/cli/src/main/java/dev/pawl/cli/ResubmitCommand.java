package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.desk.JobDeed;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code pawl resubmit JOB…}. */
@Command(
        name = "resubmit",
        description =
                "Do a finished job again from the start, on purpose. Its effects get new keys and happen again. Example: pawl resubmit report/2026-04 --note 'looked at it'",
        mixinStandardHelpOptions = true)
final class ResubmitCommand extends ByHandCommand {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private SureOption sure;

    @Override
    boolean maySo(List<String> warnings) throws IOException {
        return sure.maySo(warnings);
    }

    @Override
    JobDeed deed(Pawl pawl) {
        return new JobDeed.Resubmit();
    }
}
