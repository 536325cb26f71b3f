import { queryOptions } from '@tanstack/react-query';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';

export const webhooksQuery = queryOptions({
  queryKey: keys.webhooks,
  queryFn: async ({ signal }) => (await crier.listWebhooks({}, { signal })).webhooks,
});

/** Webhook events invalidate this, too. */
export const deliveriesQuery = (webhookId: string) =>
  queryOptions({
    queryKey: [...keys.webhook(webhookId), 'deliveries'],
    queryFn: async ({ signal }) => (await crier.listWebhookDeliveries({ webhookId }, { signal })).deliveries,
  });
