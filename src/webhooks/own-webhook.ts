import type { App } from '../app.ts';
import { Problem } from '../errors.ts';
import { unseal, webhookSecretContext } from '../lib/seal.ts';
import { findWebhook, type Webhook } from './queries.ts';

export async function requireWebhook({ db }: Pick<App, 'db'>, who: { userId: string }, id: string): Promise<Webhook> {
  const found = await findWebhook(db, who.userId, id);
  if (!found) throw new Problem('webhook_not_found');
  return found;
}

export const secretOf = ({ sealingKeys }: Pick<App, 'sealingKeys'>, { id, secret }: Pick<Webhook, 'id' | 'secret'>) =>
  unseal(secret, webhookSecretContext(id), sealingKeys);
