-- What a job is part of, as tracing writes it.

alter table job add column traceparent text;
