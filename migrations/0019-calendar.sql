-- What the calendar, the search and the posting slots read.

create index platform_posts_by_account on platform_posts (user_id, platform, account_id, post_group_id);
comment on index platform_posts_by_account is 'The posts of one account, the newest last.';

create table post_words (
  post_group_id text primary key,
  user_id text not null,
  words tsvector not null
);
comment on table post_words is
  'The words of each text, for the search. In a table of its own, because publishing updates a post group several times and
each time all of its indexes. It has no foreign key: each insert holds the row of the group in the same statement or
transaction.';
comment on column post_words.words is
  'Each word begins with the end of the user id, so that a search does not read what others wrote.';
create index post_words_by_word on post_words using gin (words) with (gin_pending_list_limit = 512);
comment on index post_words_by_word is
  'A search also reads the words that are not sorted in yet, so their list is short.';

create function delete_words() returns trigger language plpgsql as $$
begin
  delete from post_words using deleted_rows where post_group_id = deleted_rows.id;
  return null;
end $$;
comment on function delete_words is 'In place of a foreign key that cascades.';
create trigger delete_words after delete on post_groups referencing old table as deleted_rows
  for each statement execute function delete_words();

create table posting_slots (
  user_id text primary key references users (id) on delete cascade,
  time_zone text not null,
  slots jsonb not null,
  updated_at timestamptz not null
);
comment on table posting_slots is 'The times of a week at which a user likes to post.';
comment on column posting_slots.slots is
  'A list of { weekday, time, platformId }: 1 is Monday, the time is that of the zone, and null means every channel.';
