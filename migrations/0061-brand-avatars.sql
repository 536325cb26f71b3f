-- Pictures of brands, chosen by the owner of the workspace.

create table brand_avatars (
  user_id text primary key references users (id) on delete cascade,
  image bytea not null check (length(image) <= 65536),
  updated_at timestamptz not null
);
comment on table brand_avatars is 'Pictures of managed users in the dashboard of the owner.';
comment on column brand_avatars.image is 'A WebP of 128 × 128 pixels.';
