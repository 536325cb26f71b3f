-- A choice among accounts that began on the page of a connection link belongs to that link.
alter table account_choices add column link_hash bytea;
comment on column account_choices.link_hash is 'Of the connection link whose page led to the consent. Null: a signed-in person did.';
