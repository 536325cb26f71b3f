import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A link between two programs that can be cut: data is dropped, and neither end is notified. */
export interface Cable extends AsyncDisposable {
  readonly port: number;
  cut(): void;
  repair(): void;
  /** New connections get through, as after a failover. Connections that were cut stay silent. */
  failOver(): void;
}

export async function openCable(toPort: number): Promise<Cable> {
  const ends = new Set<Socket>();
  let isCut = false;
  const hold = (end: Socket) => {
    ends.add(end.on('error', () => {}).on('close', () => ends.delete(end)));
    if (isCut) end.pause();
  };
  const server = createServer({ pauseOnConnect: true }, (near) => {
    const far = connect(toPort, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      hold(one);
      one.on('data', (bytes) => void other.write(bytes));
      one.on('close', () => isCut || other.destroy());
      if (!isCut) one.resume();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const end of ends) end.pause();
    },
    repair() {
      isCut = false;
      for (const end of ends) end.resume();
    },
    failOver() {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      for (const end of ends) end.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
