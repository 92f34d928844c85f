package dev.pawl.http;

import dev.pawl.failure.FailureClass;

/** What the status of an HTTP answer says of an effect that was asked for. */
public final class HttpStatus {
    private HttpStatus() {}

    /** Whether it says that it happened. */
    public static boolean isSuccess(int status) {
        return status / 100 == 2;
    }

    /** How an effect has failed that was answered so. */
    public static FailureClass failureClass(int status) {
        return switch (status) {
            case 425, 429 -> FailureClass.TRANSIENT;
            case 408, 409 -> FailureClass.AMBIGUOUS;
            default -> status >= 400 && status < 500 ? FailureClass.PERMANENT : FailureClass.AMBIGUOUS;
        };
    }
}
