package dev.pawl.spring.test;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.event.Events;
import dev.pawl.job.Workflow;
import dev.pawl.spring.PawlAutoConfiguration;
import dev.pawl.spring.PawlWorker;
import dev.pawl.test.PawlTest;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** In the place of the application's store: one in memory, with the clock of a {@link PawlTest}, which works on all workflows that are beans. */
@AutoConfiguration(before = PawlAutoConfiguration.class)
class PawlTestConfiguration {

    @Bean(destroyMethod = "close")
    PawlTest pawlTest(ObjectProvider<Workflow.Implementation<?, ?>> workflows) {
        return PawlTest.of(workflows.orderedStream().toArray(Workflow.Implementation[]::new));
    }

    @Bean(destroyMethod = "close")
    Pawl pawl(PawlTest test) {
        return Pawl.over(test.store(), PawlOptions.usual().log(Events.NOWHERE));
    }

    /** The test's engine works. */
    @Bean
    PawlWorker pawlWorker(Pawl pawl) {
        return new PawlWorker(pawl, List.of(), false);
    }
}
