/** A PostgreSQL address may name several servers: postgres://user:password@one:5432,two:5432/database. */
export interface DatabaseAddress {
  /** The same database on each server, in the order in which they are tried. */
  readonly urls: readonly [string, ...string[]];
  /** A server that takes no writes, such as a standby, is passed over. */
  readonly mustTakeWrites: boolean;
  /** Servers and database, without a password. */
  readonly shown: string;
}

const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(.*)$/;
const target = /[?&]target_session_attrs=([^&#]*)/;

/** The text is a mistake: it follows the name of the variable and says how to write it. */
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
