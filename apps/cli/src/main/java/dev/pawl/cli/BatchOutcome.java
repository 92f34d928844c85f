package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.batch.Batch;
import dev.pawl.desk.Words;
import java.time.Duration;

/**
 * Says what a run of a batch has come to, and what next.
 *
 * @param quiet whether nothing is said when all is well
 */
record BatchOutcome(String name, boolean quiet, JsonOption json, PingOption ping) {

    /** Says it; returns the exit code. */
    int told(Batch batch, Pawl pawl) {
        var report = batch.report(pawl);
        var rows = report.rows();
        var code = ExitCodes.of(report.failed(), report.asks(), report.unfinished());
        if (!quiet || code != ExitCodes.WELL) {
            json.say(Summary.line(report), Summary.fields(report));
        }
        ping.ended(code, Summary.line(report));
        pawl.operator()
                .storeTroubleFor(Duration.ZERO)
                .ifPresent(why -> System.err.println("pawl: nothing can be recorded: " + why
                        + ". What has ended is not lost: run it again once there is room"));
        batch.closedGate(pawl)
                .ifPresent(gate -> System.err.println(gate.text(
                        pawl.operator().waitingAt(gate), pawl.operator().storeOption())));
        if (rows.paused() > 0) {
            var these = "pawl jobs --state paused --workflow " + name
                    + pawl.operator().storeOption();
            System.err.println("pawl: " + Words.many(rows.paused(), "row") + " asking; " + these
                    + " lists them, and pawl show JOB" + pawl.operator().storeOption()
                    + " says what each asks. Look first: retry does again what has happened. All that ask the same are answered by"
                    + " pawl decide --alike JOB VERDICT --note WHY"
                    + pawl.operator().storeOption());
        }
        if (rows.failed() > 0) {
            System.err.println("pawl: " + Words.many(rows.failed(), "row")
                    + " given up, which stays so until somebody says: pawl batch retry " + name + " --note WHY"
                    + pawl.operator().storeOption());
        }
        if (rows.before() > 0) {
            System.err.println("pawl: " + Words.many(rows.before(), "row")
                    + " given up by earlier runs, and nobody has dealt with "
                    + (rows.before() == 1 ? "it" : "them") + ": pawl jobs --state failed --workflow " + name
                    + pawl.operator().storeOption() + " lists, pawl batch retry " + name + " --note WHY"
                    + pawl.operator().storeOption()
                    + " tries again, pawl discard JOB --note WHY"
                    + pawl.operator().storeOption() + " gives up for good");
        }
        return code;
    }
}
