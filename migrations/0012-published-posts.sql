-- Whether a post at a network is one of ours, and whose.
create index platform_posts_by_posted_id on platform_posts (posted_id) where posted_id is not null;
