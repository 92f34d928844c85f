package dev.pawl.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Beside {@code @SpringBootTest}, or on any slice: jobs are kept in memory, and a {@link dev.pawl.test.PawlTest} can be injected that works on all workflows that are beans, with a clock that stands
 * still until the test advances it. {@code PawlTemplate} and {@code Pawl} submit to it.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration(PawlTestConfiguration.class)
public @interface AutoConfigurePawlTest {}
