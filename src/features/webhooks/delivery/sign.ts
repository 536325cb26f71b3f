import { createHmac } from 'node:crypto';

export interface Message {
  id: string;
  event: string;
  body: string;
  secret: string;
  now: Date;
}

/** The headers of the contract and of Standard Webhooks. The key is the text of the secret exactly as it was shown. */
export function signedHeaders({ id, event, body, secret, now }: Message): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const hmac = (text: string) => createHmac('sha256', secret).update(text);
  return {
    'content-type': 'application/json',
    'user-agent': 'Crier-Webhooks/1',
    'x-service-event': event,
    'x-service-signature': hmac(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac(`${id}.${timestamp}.${body}`).digest('base64')}`,
  };
}
