-- Files without a post, which posts share.

alter table media
  alter column post_group_id drop not null,
  add column copy_of text,
  add column labels text[] not null default '{}';
comment on column media.post_group_id is 'Null for files in the library.';
comment on column media.copy_of is
  'The file in the library that was attached to the post. This record uses its stored file and has no storage key.
Not a foreign key, because a backup restores rows in any order: the library keeps a file while it has copies.';
comment on column media.labels is 'The labels of a listed file, to find it by.';
comment on column media.purpose is
  'post: a file of a post. library: a file of the library. removed: deleted from the library, but posts still use it.
Anything else is an image that the platform settings of the post name, such as a thumbnail or cover.';
