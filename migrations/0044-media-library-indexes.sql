-- Indexes for the list of files, which now includes the library.
-- online

create index concurrently if not exists media_copies on media (copy_of, post_group_id) where copy_of is not null;
create index concurrently if not exists media_listed on media (user_id, created_at, id)
  where copy_of is null and purpose in ('post', 'library');
create index concurrently if not exists media_listed_by_type on media (user_id, type, created_at, id)
  where copy_of is null and purpose in ('post', 'library');
comment on index media_listed is
  'With the next one: a page of the list of files is read, and the list is counted, in an index.';
drop index if exists media_by_created_at;
drop index if exists media_by_type;
