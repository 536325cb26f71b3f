import type { WebhookEvent } from '@crier/client';
import { Argument } from 'commander';
import type { AddCommand, Context } from '../context.ts';
import { CommandError } from '../failures.ts';

type Triggered = WebhookEvent['event'] | 'webhook.test';

/** Lists every event; otherwise this does not compile. */
const known: Record<Triggered, true> = {
  'post.scheduled': true,
  'post.published': true,
  'post.failed': true,
  'post.demoted': true,
  'token.expiring': true,
  'webhook.test': true,
};

export const addTrigger: AddCommand = (program, act) => {
  program
    .command('trigger')
    .description('send a test event to your listeners, or webhook.test to your webhooks')
    .addArgument(new Argument('<event>').choices(Object.keys(known)))
    .addHelpText('after', examples)
    .action(
      act(async (context: Context, event: Triggered) => {
        if (event === 'webhook.test') return testWebhooks(context);
        const { service, show, out } = context;
        const { eventId } = await (await service()).triggerEvent({ event });
        show({ event, eventId }, [`${out.paint.green('✓')} Sent ${event} to your listeners, as ${eventId}.`]);
      }),
    );
};

const examples = `
Listeners are running crier webhooks listen commands of the same account, on any machine. Test events have
example data. For a real event, publish a post: crier post "Test" --to …

Examples:
  crier trigger post.published
  crier trigger webhook.test`;

/** The service sends it to every enabled webhook, over the internet and with retries. */
async function testWebhooks({ service, show, out }: Context) {
  const crier = await service();
  const { webhooks } = await crier.listWebhooks();
  const active = webhooks.filter(({ isActive }) => isActive);
  if (active.length === 0) {
    throw new CommandError('failed', 'You have no enabled webhook.', {
      code: 'NO_WEBHOOK',
      hint: 'Create one with POST /webhooks, or listen on this machine: crier webhooks listen',
    });
  }
  const deliveries: { webhookId: string; deliveryId: string }[] = [];
  for (const { _id: webhookId } of active) {
    const { deliveryId } = await crier.testWebhook({ webhookId });
    deliveries.push({ webhookId, deliveryId });
  }
  show({ event: 'webhook.test', deliveries }, [
    `${out.paint.green('✓')} Sent webhook.test to ${active.map(({ url }) => url).join(', ')}`,
  ]);
}
