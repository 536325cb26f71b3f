/** A PostgreSQL URL may list several servers: postgres://user:password@one:5432,two:5432/database. */
export interface DatabaseAddress {
  /** The same database on each server, in the order they are tried. */
  readonly urls: readonly [string, ...string[]];
  /** Skip servers that reject writes, such as a standby. */
  readonly mustTakeWrites: boolean;
  /** Servers and database, without the password. */
  readonly shown: string;
}

const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(.*)$/;
const target = /[?&]target_session_attrs=([^&#]*)/;

/** A returned string is an error text: it follows the variable's name and says how to write the URL. */
export function parseDatabaseUrl(text: string): DatabaseAddress | string {
  const [, before = '', places = '', path = '', after = ''] = parts.exec(text) ?? [];
  const [first = '', ...others] = places.split(',').map((place) => `${before}${place}${path}${after}`);
  if (before === '' || ![first, ...others].every((url) => URL.canParse(url)))
    return 'is not a PostgreSQL address: write postgres://user:password@host:5432/database';
  const [, wanted = null] = target.exec(after) ?? [];
  if (wanted !== null && !['any', 'primary', 'read-write'].includes(wanted))
    return `has target_session_attrs=${wanted}, but Crier needs write access: use read-write`;
  const isOneOfAny = others.length === 0 && (wanted === null || wanted === 'any');
  return { urls: [first, ...others], mustTakeWrites: !isOneOfAny, shown: `${places}${path}` };
}
