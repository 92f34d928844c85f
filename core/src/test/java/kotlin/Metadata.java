package kotlin;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** What the compiler of Kotlin puts on every class, as far as its name goes. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Metadata {}
