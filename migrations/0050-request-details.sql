-- What the panel of an API call shows: headers from a list without credentials, and the text and hint of its error.

alter table request_log
  add column request_headers jsonb,
  add column response_headers jsonb,
  add column error text,
  add column hint text;
comment on table request_log is
  'The latest API calls that were made with keys, without their bodies, credentials and addresses. It has no foreign keys: they
would lock the rows of users for each call, and one deleted user would fail the calls of all others.';
comment on column request_log.request_headers is 'Only headers from a fixed list, shortened. Null: the call is older than this column.';
comment on column request_log.error is 'The text of the error in the response, shortened. It may quote the request.';
comment on column request_log.hint is 'The hint in the response, shortened.';
