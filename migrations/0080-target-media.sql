-- Files for individual targets of a post.

alter table platform_posts add column media_ids text[];
comment on column platform_posts.media_ids is
  'The files of this target, in order, all of them among those of the group. Null: the shared files of the group.';
alter table media add column shared boolean not null default true;
comment on column media.shared is 'False: the file goes only to targets whose media_ids list it.';
