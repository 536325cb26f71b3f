-- A published post that still has comments to get is wanted again: `run_at` says when, as for posts to be published.
drop index unfinished_platform_posts;
create index runnable_platform_posts on platform_posts (connection_id, run_at, id) where run_at is not null;
-- Whose account was disconnected in the middle of it.
create index stranded_platform_posts on platform_posts (id)
  where connection_id is null and status in ('pending', 'processing');
