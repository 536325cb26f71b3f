import { InvalidArgumentError, Option } from 'commander';
import { createKey as makeKey } from '../../../features/accounts/operator/keys.ts';
import { type Scope, scopeNames, scopes } from '../../../foundation/http/scopes.ts';
import { addressRange } from '../../../foundation/lib/address-ranges.ts';
import { adminCommand, type Common, instant, userOption } from '../command.ts';
import { printResult } from '../print-result.ts';
import { requireUser } from '../users/require-user.ts';
import { withCore } from '../with-core.ts';

interface Options extends Common {
  user: string;
  name?: string;
  scopes?: Scope[];
  expires?: Date;
  addresses?: string[];
}

export const createKey = () =>
  adminCommand('create-key', {
    about: 'Create an API key.',
    more: [
      'A key can do everything its user can do, unless it is restricted to scopes:',
      ...Object.entries(scopes).map(([scope, what]) => `  ${scope.padEnd(10)}${what}`),
    ].join('\n'),
    example: '--user ada@example.com --name "Nightly job" --scopes read,write --expires 2027-12-31T00:00:00Z',
  })
    .addOption(userOption())
    .option('--name <name>', 'a name for the key, at most 100 characters')
    .addOption(
      new Option('--scopes <scopes>', 'what the key can be used for, separated by commas').argParser(scopeList),
    )
    .addOption(new Option('--expires <time>', 'when the key expires').argParser(instant))
    .addOption(
      new Option('--addresses <addresses>', 'where it can be used from: IP addresses and CIDR ranges').argParser(
        addressList,
      ),
    )
    .action((options: Options) =>
      withCore(async (core) => {
        const { name, scopes, expires, addresses } = options;
        const { id: user, email } = await requireUser(core, options.user);
        const limits = { scopes, expiresAt: expires?.toISOString(), allowedAddresses: addresses };
        const key = await makeKey(core, { user, name, ...limits });
        printResult(options, { keyId: key.id, apiKey: key.rawKey }, [
          `${email} has a new API key, "${key.name}".`,
          `Key id   ${key.id}`,
          `API key  ${key.rawKey}  (shown only once)`,
        ]);
      }),
    );

const parts = (text: string) => text.split(',').map((part) => part.trim());

function scopeList(text: string): Scope[] {
  const wanted = parts(text);
  const known = scopeNames.filter((scope) => wanted.includes(scope));
  if (known.length < new Set(wanted).size) throw new InvalidArgumentError(`Use any of ${scopeNames.join(', ')}.`);
  return known;
}

function addressList(text: string): string[] {
  return parts(text).map((part) => {
    const range = addressRange(part);
    if (range === null) throw new InvalidArgumentError(`"${part}" is neither an IP address nor a CIDR range.`);
    return range;
  });
}
