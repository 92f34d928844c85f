-- What a job is part of, as tracing writes it.

alter table job add column traceparent text;

-- Tokens that were written to a provider's cache, for which some ask more.

alter table spent add column cache_written integer not null default 0;
