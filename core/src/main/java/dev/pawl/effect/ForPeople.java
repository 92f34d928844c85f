package dev.pawl.effect;

/**
 * A request that people see otherwise than it is sent: without what is secret in it, and with what helps to find out what became of it. What is
 * kept for people is this; the fingerprint is made of the request itself.
 */
public interface ForPeople {

    /** The request as people may see it. */
    Object forPeople();
}
