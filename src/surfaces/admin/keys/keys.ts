import { listKeys as findKeys, type ListedKey, revokeKey as revoke } from '../../../features/accounts/operator/keys.ts';
import { adminCommand, type Common, count } from '../command.ts';
import { printResult } from '../print-result.ts';
import { table } from '../table.ts';
import { requireUser } from '../users/require-user.ts';
import { withCore } from '../with-core.ts';

interface ListOptions extends Common {
  user?: string;
  limit: number;
}

export const listKeys = () =>
  adminCommand('list-keys', {
    about: 'List active API keys, newest first.',
    more: 'A key itself is shown only when it is created. The prefix is the beginning of the key.',
    example: '--user ada@example.com',
  })
    .option('--user <id or email>', 'only keys of this user')
    .option('--limit <number>', 'maximum number of entries', count(10_000), 100)
    .action((options: ListOptions) =>
      withCore(async (core) => {
        const user = options.user === undefined ? null : await requireUser(core, options.user);
        const keys = await findKeys(core, { userId: user?.id ?? null, limit: options.limit });
        const text = keys.length > 0 ? table(keys.map(rowOf)) : 'No keys found.';
        printResult(options, { keys }, [text]);
      }),
    );

const rowOf = ({ id, email, name, keyPrefix, createdAt, lastUsedAt }: ListedKey) => ({
  id,
  prefix: keyPrefix,
  user: email,
  name,
  created: createdAt.toISOString().slice(0, 10),
  'last used': lastUsedAt?.toISOString().slice(0, 16).replace('T', ' ') ?? 'never',
});

export const revokeKey = () =>
  adminCommand('revoke-key', {
    about: 'Revoke an API key. It stops working immediately.',
    more: 'list-keys shows ids and prefixes. You can also pass a whole key, for example one that has leaked.',
    example: '--key sk_mb3k2x1_9f2c01aa',
  })
    .requiredOption('--key <id or prefix>', 'the key')
    .action((options: Common & { key: string }) =>
      withCore(async (core) => {
        const { id, email, name, keyPrefix } = await revoke(core, options.key);
        printResult(options, { keyId: id, keyPrefix, email, revoked: true }, [
          `The key "${name}" (${keyPrefix}) of ${email} is revoked.`,
        ]);
      }),
    );
