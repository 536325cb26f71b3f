// Webhook receivers in a separate process. The first of them respond late or never.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceiverOptions {
  receivers: number;
  hanging: number;
  /** The hanging receivers respond after this time. Default: never. */
  answerAfterMs?: number;
}
/** Everything received since the last query. */
export interface Arrivals {
  /** Lateness of the events at healthy receivers: ms after the time in the event. */
  late: number[];
  /** Arrival of the last event, in ms since 1970. */
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
