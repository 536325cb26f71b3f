-- How long an API call waited before its handler, which the panel of the call shows.

alter table request_log add column waited_ms integer;
comment on column request_log.waited_ms is
  'The part of the duration before the handler: the key, limits, and reading and checking the body. Null: the call was refused before its handler, or is older than this column.';
