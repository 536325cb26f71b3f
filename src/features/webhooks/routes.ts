import type { preHandlerAsyncHookHandler } from 'fastify';
import type { App } from '../../app.ts';
import type { ProblemKey } from '../../foundation/errors/index.ts';
import type { Server } from '../../foundation/http/server.ts';
import { Success } from '../../foundation/http/shapes.ts';
import { requireSession } from '../auth/access/session.ts';
import { callerOf, sessionCaller } from './delivery/caller.ts';
import { maxAttempts } from './delivery/delivery-log-queries.ts';
import * as examples from './examples.ts';
import * as shape from './schema.ts';
import * as webhooks from './webhooks.ts';

const tags = ['Webhooks'];
const fieldProblems = [
  'webhook_name_too_long',
  'webhook_url_too_long',
  'webhook_url_invalid',
  'webhook_url_not_https',
  'webhook_url_credentials',
  'webhook_url_localhost',
  'webhook_url_private',
  'webhook_url_private_name',
  'webhook_url_link_local',
  'webhook_url_metadata',
  'webhook_events_invalid',
] as const satisfies ProblemKey[];

/** The contract accepts only a real boolean. Other values must not be ignored silently. */
const warnOfInvalidActive: preHandlerAsyncHookHandler = async (request) => {
  const { isActive } = Object(request.body);
  if (isActive === undefined || isActive === null || typeof isActive === 'boolean') return;
  const message = 'isActive must be true or false, so it was ignored.';
  request.inputWarnings = [...(request.inputWarnings ?? []), { code: 'INVALID_VALUE', field: 'isActive', message }];
};

/** contract.md#webhooks */
export function webhookRoutes(server: Server, app: App) {
  server.get(
    '/webhooks',
    {
      schema: {
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        description: 'Lists the webhooks without their secrets.',
        tags,
        example: examples.listWebhooks,
        response: { 200: shape.Webhooks },
      },
      config: { scope: 'webhooks', failure: 'webhook_list_failed' },
    },
    ({ who }) => webhooks.listWebhooks(app, who),
  );

  server.post(
    '/webhooks',
    {
      schema: {
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description:
          'Creates a webhook that sends the selected events to an https URL. Only this response contains the `secret` with which deliveries are signed.',
        tags,
        example: examples.createWebhook,
        body: shape.NewWebhook,
        response: { 201: shape.WebhookCreated },
      },
      config: {
        scope: 'webhooks',
        failure: 'webhook_create_failed',
        problems: ['webhook_fields_missing', 'webhook_limit', 'webhook_limit_reached', ...fieldProblems],
      },
    },
    async (request, reply) =>
      reply.code(201).send(await webhooks.createWebhook(app, callerOf(request), request.body, 'key')),
  );

  server.patch(
    '/webhooks/:webhookId',
    {
      preHandler: warnOfInvalidActive,
      schema: {
        operationId: 'updateWebhook',
        summary: 'Change a webhook',
        description: 'Changes the fields in the body. `isActive` enables or disables the webhook.',
        tags,
        example: examples.updateWebhook,
        params: shape.WebhookPath,
        body: shape.WebhookChange,
        response: { 200: shape.WebhookUpdated },
      },
      config: {
        scope: 'webhooks',
        failure: 'webhook_update_failed',
        problems: ['webhook_not_found', ...fieldProblems],
      },
    },
    (request) => webhooks.changeWebhook(app, callerOf(request), request.params.webhookId, request.body, 'key'),
  );
  routesOfOneWebhook(server, app);
}

/** The dashboard's variants: sorted, with counters, and enabling a webhook resets its failure count. */
export function webhookSessionRoutes(server: Server, app: App) {
  const onRequest = requireSession(app);
  server.get(
    '/dashboard/webhooks',
    {
      onRequest,
      schema: {
        operationId: 'listDashboardWebhooks',
        summary: 'List webhooks in the dashboard',
        description: 'Lists the webhooks without their secrets, newest first.',
        tags,
        example: examples.listWebhooks,
        response: { 200: shape.Webhooks },
      },
      config: { failure: 'webhook_list_failed' },
    },
    ({ session }) => webhooks.listWebhooks(app, session),
  );

  server.post(
    '/dashboard/webhooks',
    {
      onRequest,
      schema: {
        operationId: 'createDashboardWebhook',
        summary: 'Create a webhook in the dashboard',
        description: 'Only this response contains the `secret` with which deliveries are signed.',
        tags,
        example: examples.createWebhook,
        body: shape.NewWebhook,
        response: { 201: shape.WebhookCreated },
      },
      config: {
        failure: 'webhook_create_failed',
        problems: ['webhook_fields_missing', 'webhook_limit', 'webhook_limit_reached', ...fieldProblems],
      },
    },
    async (request, reply) =>
      reply.code(201).send(await webhooks.createWebhook(app, sessionCaller(request), request.body, 'session')),
  );

  server.patch(
    '/dashboard/webhooks/:webhookId',
    {
      onRequest,
      preHandler: warnOfInvalidActive,
      schema: {
        operationId: 'updateDashboardWebhook',
        summary: 'Change a webhook in the dashboard',
        description: 'Changes the fields in the body. Enabling the webhook resets `failureCount`.',
        tags,
        example: examples.updateDashboardWebhook,
        params: shape.WebhookPath,
        body: shape.WebhookChange,
        response: { 200: shape.WebhookUpdatedBySession },
      },
      config: { failure: 'webhook_update_failed', problems: ['webhook_not_found', ...fieldProblems] },
    },
    (request) => webhooks.changeWebhook(app, sessionCaller(request), request.params.webhookId, request.body, 'session'),
  );
}

/** The rest of the contract, and Crier's additions: the delivery log, resending, testing. */
function routesOfOneWebhook(server: Server, app: App) {
  server.delete(
    '/webhooks/:webhookId',
    {
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'Deletes the webhook and its log. Pending deliveries are dropped.',
        tags,
        example: examples.deleteWebhook,
        params: shape.WebhookPath,
        response: { 200: Success },
      },
      config: { scope: 'webhooks', failure: 'webhook_delete_failed', problems: ['webhook_not_found'] },
    },
    (request) => webhooks.removeWebhook(app, callerOf(request), request.params.webhookId),
  );

  server.post(
    '/webhooks/:webhookId/regenerate-secret',
    {
      schema: {
        operationId: 'regenerateWebhookSecret',
        summary: 'Replace the secret of a webhook',
        description: 'The next delivery is signed with the new secret. Only this response contains it.',
        tags,
        example: examples.regenerateWebhookSecret,
        params: shape.WebhookPath,
        response: { 200: shape.NewSecret },
      },
      config: { scope: 'webhooks', failure: 'webhook_secret_failed', problems: ['webhook_not_found'] },
    },
    (request) => webhooks.regenerateSecret(app, callerOf(request), request.params.webhookId),
  );

  server.get(
    '/webhooks/:webhookId/deliveries',
    {
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List the deliveries of a webhook',
        description: `Lists the latest 100 deliveries, each with its latest ${maxAttempts} attempts. They are kept for 30 days.`,
        tags,
        example: examples.listWebhookDeliveries,
        params: shape.WebhookPath,
        response: { 200: shape.Deliveries },
      },
      config: { scope: 'webhooks', failure: 'webhook_deliveries_failed', problems: ['webhook_not_found'] },
    },
    ({ who, params }) => webhooks.listDeliveries(app, who, params.webhookId),
  );

  server.post(
    '/webhooks/:webhookId/test',
    {
      schema: {
        operationId: 'testWebhook',
        summary: 'Test a webhook',
        description: 'Sends a test event. The list of deliveries shows the result.',
        tags,
        example: examples.testWebhook,
        params: shape.WebhookPath,
        response: { 200: shape.Queued },
      },
      config: {
        scope: 'webhooks',
        rate: 'webhookTest',
        failure: 'webhook_test_failed',
        problems: ['webhook_not_found', 'webhook_inactive'],
      },
    },
    ({ who, params }) => webhooks.sendTest(app, who, params.webhookId),
  );

  server.post(
    '/webhooks/deliveries/:deliveryId/resend',
    {
      schema: {
        operationId: 'resendWebhookDelivery',
        summary: 'Send a delivery again',
        description: 'Sends the delivery again with exactly the same body.',
        tags,
        example: examples.resendWebhookDelivery,
        params: shape.DeliveryPath,
        response: { 200: shape.Queued },
      },
      config: {
        scope: 'webhooks',
        rate: 'webhookResend',
        failure: 'webhook_test_failed',
        problems: ['delivery_not_found', 'webhook_inactive'],
      },
    },
    ({ who, params }) => webhooks.resend(app, who, params.deliveryId),
  );
}
