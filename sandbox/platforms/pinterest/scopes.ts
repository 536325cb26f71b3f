export const scopes = [
  'user_accounts:read',
  'boards:read',
  'boards:write',
  'boards:read_secret',
  'boards:write_secret',
  'pins:read',
  'pins:write',
  'pins:read_secret',
  'pins:write_secret',
];

/** Requests separate scopes with commas; responses use spaces. */
export const splitScopes = (text: string) => text.split(/[\s,]+/).filter(Boolean);
