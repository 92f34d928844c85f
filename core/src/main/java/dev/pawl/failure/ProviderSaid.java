package dev.pawl.failure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What another side said when it refused: the cause of a failure, for those who look at it. */
public final class ProviderSaid extends Exception {
    private final @Nullable Integer status;
    private final @Nullable String provider;
    private final @Nullable Duration retryAfter;

    /**
     * What was said, without a word on how long to wait.
     *
     * @param status as HTTP has it; null when there was none
     * @param provider who said it; null when nobody tells
     */
    public ProviderSaid(@Nullable Integer status, @Nullable String provider) {
        this(status, provider, null);
    }

    /**
     * What was said.
     *
     * @param status as HTTP has it; null when there was none
     * @param provider who said it; null when nobody tells
     * @param retryAfter how long it asked to be left alone; null when it did not
     */
    public ProviderSaid(@Nullable Integer status, @Nullable String provider, @Nullable Duration retryAfter) {
        super((provider == null ? "the other side" : provider) + " said " + (status == null ? "no" : status));
        this.status = status;
        this.provider = provider;
        this.retryAfter = retryAfter;
    }

    /** As HTTP has it; null when there was none. */
    public @Nullable Integer status() {
        return status;
    }

    /** Who said it; null when nobody tells. */
    public @Nullable String provider() {
        return provider;
    }

    /** How long it asked to be left alone; null when it did not. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
