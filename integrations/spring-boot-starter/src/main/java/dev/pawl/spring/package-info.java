/** Pawl in a Spring Boot application: {@link dev.pawl.spring.PawlTemplate} submits, {@link dev.pawl.spring.PawlWorker} works, {@code pawl.*} are the properties. */
@NullMarked
package dev.pawl.spring;

import org.jspecify.annotations.NullMarked;
