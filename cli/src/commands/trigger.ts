import type { WebhookEvent } from '@crier/client';
import { Argument } from 'commander';
import type { AddCommand, Context } from '../context.ts';
import { CommandError } from '../failures.ts';
import { tellListeners } from '../listeners.ts';
import { sampleBody, sampleEvents } from '../sample-events.ts';

type Triggered = WebhookEvent['event'] | 'webhook.test';

export const addTrigger: AddCommand = (program, act) => {
  program
    .command('trigger')
    .description('send a test event to your listeners on this machine, or webhook.test to your webhooks')
    .addArgument(new Argument('<event>').choices([...sampleEvents, 'webhook.test']))
    .addHelpText('after', examples)
    .action(
      act(async (context: Context, event: Triggered) => {
        if (event === 'webhook.test') return testWebhooks(context);
        const body = sampleBody(event, new Date());
        const listeners = await tellListeners(context.environment, body);
        if (listeners === 0) {
          throw new CommandError('failed', 'No listener is running on this machine.', {
            code: 'NO_LISTENER',
            hint: 'Start one in another terminal: crier webhooks listen',
          });
        }
        context.show({ event, listeners, body: JSON.parse(body) }, [
          `${context.out.paint.green('✓')} Sent ${event} to ${listeners} listener${listeners === 1 ? '' : 's'}.`,
        ]);
      }),
    );
};

const examples = `
The data of test events is made up. A real event needs a real post: crier post "Test" --to …

Examples:
  crier trigger post.published
  crier trigger webhook.test`;

/** The service sends it, over the internet and with retries, to every webhook that is switched on. */
async function testWebhooks({ service, show, out }: Context) {
  const crier = await service();
  const { webhooks } = await crier.listWebhooks();
  const active = webhooks.filter(({ isActive }) => isActive);
  if (active.length === 0) {
    throw new CommandError('failed', 'You have no webhook that is switched on.', {
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
