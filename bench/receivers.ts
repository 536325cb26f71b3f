// Webhook receivers in a separate process. The first of them never answer, or late.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceiverOptions {
  receivers: number;
  hanging: number;
  /** After this time the hanging ones answer. Default: never. */
  answerAfterMs?: number;
}
/** Since it was asked before. */
export interface Arrivals {
  /** How late the events arrived that healthy receivers got, in ms after the time that they tell. */
  late: number[];
  /** When the last of them arrived, in ms since 1970. */
  lastAt: number;
}

const { receivers, hanging, answerAfterMs }: ReceiverOptions = JSON.parse(process.argv[2]!);
let arrivals: Arrivals = { late: [], lastAt: 0 };

const listen = (index: number) => {
  const server = createServer(async (request, response) => {
    const { timestamp } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    if (index < hanging) {
      if (answerAfterMs !== undefined) setTimeout(() => response.writeHead(200).end(), answerAfterMs);
      return;
    }
    arrivals.lastAt = Date.now();
    arrivals.late.push(arrivals.lastAt - Date.parse(timestamp));
    response.writeHead(200).end();
  });
  return new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
};

const ports = await Promise.all(Array.from({ length: receivers }, (_, index) => listen(index)));
process.on('message', (question: 'what arrived?' | 'begin again') => {
  if (question === 'begin again') arrivals = { late: [], lastAt: 0 };
  process.send?.({ result: arrivals });
});
process.on('disconnect', () => process.exit());
process.send?.(ports);
