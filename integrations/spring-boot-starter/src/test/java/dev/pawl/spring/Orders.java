package dev.pawl.spring;

import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Modules of an application: each has its own workflow, and a service submits in its transaction. */
final class Orders {
    static final Workflow<String, String> SHIP = Workflow.named("ship", String.class, String.class);
    static final Workflow<String, String> BILL = Workflow.named("bill", String.class, String.class);
    static final Workflow<String, String> REMIND = Workflow.named("remind", String.class, String.class);

    private Orders() {}

    @Configuration(proxyBeanMethods = false)
    static class Shipping {
        @Bean
        Workflow.Implementation<String, String> ship() {
            return SHIP.implementedBy((job, order) -> job.step("pack", String.class, () -> "packed " + order));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Billing {
        @Bean
        Workflow.Implementation<String, String> bill() {
            return BILL.implementedBy((job, order) -> job.step("write", String.class, () -> "billed " + order));
        }

        @Bean
        Workflow.Implementation<String, String> remind() {
            return REMIND.implementedBy((job, order) -> {
                job.sleep("fortnight", Duration.ofDays(14));
                return "reminded " + order;
            });
        }
    }

    /** What the application does of its own, and a job with it. */
    static class Desk {
        private final JdbcTemplate jdbc;
        private final PawlTemplate pawl;

        Desk(JdbcTemplate jdbc, PawlTemplate pawl) {
            this.jdbc = jdbc;
            this.pawl = pawl;
        }

        @Transactional
        public void order(String number, boolean breaks) {
            jdbc.update("insert into orders (number) values (?)", number);
            pawl.submit(SHIP, Key.of(number), number);
            if (breaks) {
                throw new IllegalStateException("the stock is wrong");
            }
        }

        @Transactional
        public void orderNow(String number) {
            pawl.submitNow(SHIP, Key.of(number), number);
            throw new IllegalStateException("rolled back");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OrderDesk {
        @Bean
        Desk desk(JdbcTemplate jdbc, PawlTemplate pawl) {
            return new Desk(jdbc, pawl);
        }
    }
}
