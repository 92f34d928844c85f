package dev.pawl.spring;

import dev.pawl.Operator;
import dev.pawl.Pawl;
import java.util.LinkedHashMap;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Which Pawl this is, where it keeps jobs, and which workflows it works on. */
final class PawlInfoContributor implements InfoContributor {
    private final Pawl pawl;
    private final PawlWorker worker;

    PawlInfoContributor(Pawl pawl, PawlWorker worker) {
        this.pawl = pawl;
        this.worker = worker;
    }

    @Override
    public void contribute(Info.Builder builder) {
        var told = new LinkedHashMap<String, Object>();
        told.put("version", Operator.version());
        told.put("store", pawl.operator().describe());
        told.put("works", worker.isRunning());
        told.put(
                "workflows",
                worker.workflows().stream().map(code -> code.workflow().name()).toList());
        builder.withDetail("pawl", told);
    }
}
