-- An end needs its evidence: what is published has the id that the network gave it, what failed has a reason with a code.
-- Not valid: rows from before need not hold to it, and are not read for it.
alter table platform_posts
  add constraint published_with_id check (status <> 'published' or coalesce(posted_id, '') <> '') not valid,
  add constraint failed_with_code check (status <> 'failed' or coalesce(error ->> 'code', '') <> '') not valid;
