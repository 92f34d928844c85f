/**
 * Text that people read: what others wrote, so that all of it is seen ({@link dev.pawl.text.Visible}), and what is printed to be typed, so that a
 * shell takes it as it stands ({@link dev.pawl.text.ShellWord}).
 */
@NullMarked
package dev.pawl.text;

import org.jspecify.annotations.NullMarked;
