/** What people look up, do and are told, in words, whoever shows it to them: the command line, or a server. */
@NullMarked
package dev.pawl.desk;

import org.jspecify.annotations.NullMarked;
