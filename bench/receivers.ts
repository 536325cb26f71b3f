// Webhook receivers in a process of their own: reports their ports, and on request what arrived when.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receivers {
  ports: number[];
}
/** By receiver: how late its events arrived, in ms. */
export type Lateness = number[][];

const receivers = 100;
const hanging = 10;
const failing = 10;

const lateness: Lateness = Array.from({ length: receivers }, () => []);

const answerOf = (index: number): RequestListener => {
  return async (request, response) => {
    const { timestamp } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    lateness[index]!.push(Date.now() - Date.parse(timestamp));
    if (index < hanging) return;
    response.writeHead(index < hanging + failing ? 500 : 200).end();
  };
};

const ports = await Promise.all(
  lateness.map((_, index) => {
    const server = createServer(answerOf(index));
    return new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  }),
);
process.on('message', () => process.send?.(lateness.slice(hanging + failing) satisfies Lateness));
process.on('disconnect', () => process.exit());
process.send?.({ ports } satisfies Receivers);
