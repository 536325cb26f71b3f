import { type StreamedDelivery, verifyWebhook, WebhookVerificationError } from '@crier/client';
import type { AddCommand, Context } from '../context.ts';
import { wrongUse } from '../failures.ts';
import { plain } from '../output.ts';

interface ListenOptions {
  forwardTo?: string;
  events?: string;
}

/** Crier's own webhook timeout. */
const limitMs = 10_000;

export const addWebhooks: AddCommand = (program, act) => {
  const webhooks = program
    .command('webhooks')
    .description('receive webhooks on this machine')
    .addHelpText('after', '\nExamples:\n  crier webhooks listen --forward-to http://localhost:8080/hook');
  webhooks
    .command('listen')
    .description('print and forward the requests that webhooks would receive; needs no public URL')
    .option('--forward-to <url>', 'forward each request to this URL, as a webhook would')
    .option('--events <names>', 'only these events, separated by commas: post.published,post.failed')
    .addHelpText('after', examples)
    .action(
      act(async (context: Context, { forwardTo, events }: ListenOptions) => {
        if (forwardTo !== undefined && !URL.canParse(forwardTo)) throw wrongUse(`"${forwardTo}" is not a URL.`);
        const crier = await context.service();
        let secret = '';
        for await (const { event, data } of crier.streamEvents({ format: 'webhook', ...(events && { events }) })) {
          if (event === 'ready' && 'secret' in data) {
            secret = data.secret ?? '';
            context.out.note(`Listening. The secret of this listener is ${secret}`);
            if (context.out.isJson) context.show({ event: 'ready', secret }, []);
          } else if ('headers' in data) await take(context, data, secret, forwardTo);
        }
      }),
    );
};

const examples = `
The requests are signed with the secret shown when the listener starts. Configure your receiver with it.
Send test events from another terminal or machine with: crier trigger post.published

Examples:
  crier webhooks listen
  crier webhooks listen --forward-to http://localhost:8080/hook --events post.published,post.failed`;

/** Verifies one request, forwards it and shows it. */
async function take({ show, out: { paint } }: Context, delivery: StreamedDelivery, secret: string, forwardTo?: string) {
  const { headers, body } = delivery;
  const envelope = await verifyWebhook(body, headers, secret).catch((error: unknown) => {
    if (error instanceof WebhookVerificationError) return null;
    throw error;
  });
  if (!envelope) {
    show({ event: 'invalid', verified: false }, [
      paint.red('✗ A request was not signed by Crier and was not forwarded.'),
    ]);
    return;
  }
  const { event, timestamp, data } = envelope;
  const forwarded = forwardTo === undefined ? null : await forward(forwardTo, delivery);
  const isTaken = forwarded?.status && forwarded.status >= 200 && forwarded.status < 300;
  const outcome = forwarded && (isTaken ? paint.green : paint.red)(plain(`→ ${forwarded.status ?? forwarded.error}`));
  const isTest = headers['x-service-test'] === 'true';
  show({ event, timestamp, data, id: headers['webhook-id'], isTest, verified: true, forwarded }, [
    [plain(timestamp), paint.bold(plain(event)), isTest && 'test', plain(JSON.stringify(data)), outcome]
      .filter(Boolean)
      .join('  '),
  ]);
}

interface Forwarded {
  status: number | null;
  error: string | null;
}

async function forward(url: string, { headers, body }: StreamedDelivery): Promise<Forwarded> {
  try {
    const signal = AbortSignal.timeout(limitMs);
    const { status } = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    return { status, error: null };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { status: null, error: cause instanceof Error ? cause.message : String(cause) };
  }
}
