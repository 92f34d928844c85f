/** The walls between the rooms, and the rules of the house. Each rule also shows that it looked at enough. */
@NullMarked
package dev.pawl.checks.architecture;

import org.jspecify.annotations.NullMarked;
