import { webhookEventNames } from '../../foundation/events/catalogue.ts';

/** Examples for the API reference. A test validates each value against the schema of its route. */

const [, published, failed] = webhookEventNames;
const base = {
  _id: '019a86c1d4e5f60718293a4b',
  name: 'Website',
  url: 'https://example.com/hooks/crier',
  events: [published, failed],
  isActive: true,
};
const listed = {
  ...base,
  failureCount: 0,
  lastTriggeredAt: '2027-03-04T09:00:00.512Z',
  createdAt: '2027-03-01T12:00:00.000Z',
  updatedAt: '2027-03-01T12:00:00.000Z',
};
const secret = '5f2b8c1e9a7d4f60b3c2d1e0f9a8b7c65f2b8c1e9a7d4f60b3c2d1e0f9a8b7c6';
const { name, url, events } = base;

export const listWebhooks = { response: { success: true, webhooks: [listed] } };
export const createWebhook = {
  request: { name, url, events },
  response: { success: true, webhook: { ...base, secret, createdAt: listed.createdAt } },
};
export const updateWebhook = {
  request: { isActive: true },
  response: { success: true, webhook: { ...base, updatedAt: listed.updatedAt } },
};
export const updateDashboardWebhook = {
  request: { isActive: true },
  response: { success: true, webhook: listed },
};
export const deleteWebhook = { response: { success: true } };
export const regenerateWebhookSecret = { response: { success: true, secret } };
export const listWebhookDeliveries = {
  response: {
    success: true,
    deliveries: [
      {
        _id: '019a86c3e5f60718293a4b5c',
        event: published,
        status: 'delivered',
        attempts: [{ at: '2027-03-04T09:00:00.512Z', durationMs: 84, status: 200, error: null, answer: 'ok' }],
        nextAttemptAt: null,
        createdAt: '2027-03-04T09:00:00.412Z',
        body: `{"version":"1","event":"${published}","timestamp":"2027-03-04T09:00:00.412Z","data":{…}}`,
      },
    ],
  },
};
const queued = { response: { success: true, deliveryId: '019a86c3e5f60718293a4b5c' } };
export const testWebhook = queued;
export const resendWebhookDelivery = queued;
