import { sql } from 'kysely';
import type { App } from '../../../src/app.ts';
import { openCredentials } from '../../../src/features/connections/credentials/stored-credentials.ts';
import { mailContext } from '../../../src/features/mail/mails.ts';
import { twoFactorContext, unseal, webhookSecretContext } from '../../../src/foundation/lib/seal.ts';
import { testPassword } from '../service/user.ts';
import { secretWatch } from './watch.ts';

/** Registers the secrets in an app's configuration. */
export function watchConfig({ config, sealingKeys }: Pick<App, 'config' | 'sealingKeys'>) {
  secretWatch.secret('password', testPassword);
  for (const { secret } of [sealingKeys.current, ...sealingKeys.previous]) {
    secretWatch.secret('SECRET_KEY', secret.toString('hex'));
    secretWatch.secret('SECRET_KEY', secret.toString('base64url'));
  }
  if (config.metricsToken) secretWatch.secret('METRICS_TOKEN', config.metricsToken);
  const { mailServer, storage } = config;
  if (mailServer?.credentials) secretWatch.secret('password', mailServer.credentials.password);
  if (storage.kind === 's3' && storage.credentials) {
    secretWatch.secret('password', storage.credentials.secretAccessKey);
  }
  for (const { secret } of Object.values(config.clients)) secretWatch.secret('client secret', secret);
  secretWatch.secret('client secret', 'crier-sandbox-secret-0123456789');
}

/** Registers the secrets sealed in an app's database. Call it before the database is dropped. */
export async function watchSealed(app: Pick<App, 'db' | 'sealingKeys'>) {
  const { rows } = await sql<Sealed>`
    select 'connection' as kind, credentials as sealed, user_id as "userId", platform, account_id as "accountId", id
      from connections
    union all select 'webhook', secret, '', '', '', id from webhooks
    union all select 'two-factor', secret, user_id, '', '', '' from two_factors
    union all select 'mail', data, '', '', '', id from mails where data is not null`.execute(app.db);
  for (const row of rows) {
    try {
      opened[row.kind](app, row);
    } catch {
      // The test has damaged the record, or sealed it with another key.
    }
  }
}

interface Sealed {
  kind: 'connection' | 'webhook' | 'two-factor' | 'mail';
  sealed: string;
  id: string;
  userId: string;
  platform: string;
  accountId: string;
}
type Keys = Pick<App, 'sealingKeys'>;

const opened: Record<Sealed['kind'], (app: Keys, row: Sealed) => void> = {
  connection: (app, { sealed: credentials, ...connection }) =>
    addTokens(openCredentials(app, { ...connection, credentials })),
  webhook: ({ sealingKeys }, { sealed, id }) =>
    secretWatch.secret('webhook secret', unseal(sealed, webhookSecretContext(id), sealingKeys)),
  'two-factor': ({ sealingKeys }, { sealed, userId }) =>
    secretWatch.secret('TOTP secret', unseal(sealed, twoFactorContext(userId), sealingKeys)),
  mail({ sealingKeys }, { sealed, id }) {
    const { link = '' }: { link?: string } = JSON.parse(unseal(sealed, mailContext(id), sealingKeys));
    secretWatch.secret('link token', URL.parse(link)?.searchParams.get('token') ?? '');
  },
};

/** Credentials also contain names and URLs. */
function addTokens(credentials: unknown) {
  if (typeof credentials !== 'object' || credentials === null) return;
  for (const [name, value] of Object.entries(credentials)) {
    if (typeof value !== 'string') addTokens(value);
    else if (/token|secret|password|jwt/i.test(name)) secretWatch.secret('token of a network', value);
  }
}
