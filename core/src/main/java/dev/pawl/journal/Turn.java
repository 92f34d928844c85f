package dev.pawl.journal;

/**
 * One turn of a conversation.
 *
 * @param role who said it: {@code user}, {@code assistant}, {@code system}, {@code tool}, or whatever the model knows
 * @param content what was said
 */
public record Turn(String role, String content) {
    private static final int MOST_ROLE_CHARS = 100;

    public Turn {
        if (role.isBlank() || role.length() > MOST_ROLE_CHARS) {
            throw new IllegalArgumentException("a role has 1 to " + MOST_ROLE_CHARS + " characters");
        }
    }
}
