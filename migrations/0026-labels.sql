-- Labels of posts, and their colours.
-- online

alter table post_groups add column if not exists labels text[] not null default '{}';
comment on column post_groups.labels is 'In the order of the request. post_words has each of them, too, for the filter.';

create table if not exists labels (
  user_id text not null references users (id) on delete cascade,
  name text not null,
  colour text not null,
  created_at timestamptz not null,
  primary key (user_id, name)
);
comment on table labels is 'The labels that a user has given to posts. One without a post is hidden, and deleted to make room.';
