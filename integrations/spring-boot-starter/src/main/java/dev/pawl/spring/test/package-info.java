/** Workflows of a Spring Boot application in tests, with a clock that stands still until the test advances it. */
@NullMarked
package dev.pawl.spring.test;

import org.jspecify.annotations.NullMarked;
