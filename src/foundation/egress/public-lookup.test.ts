import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { publicLookup } from './public-lookup.ts';

const types = { 1: Buffer.from([93, 184, 216, 34]), 28: Buffer.from('20010db8000000000000000000000001', 'hex') };

/** A name server that never responds for names starting with `slow`, and does not know `unknown`. */
async function aNameServer() {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (question, from) => {
    const labels: string[] = [];
    let at = 12;
    for (; question[at]; at += 1 + question[at]!)
      labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
    asked.push(labels.join('.'));
    if (labels[0]?.startsWith('slow')) return;
    const type = question.readUInt16BE(at + 1);
    const address = labels[0] === 'unknown' ? undefined : types[type as keyof typeof types];
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(address ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(address ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    const answer = address ? [Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length]), address] : [];
    socket.send(Buffer.concat([head, question.subarray(12, at + 5), ...answer]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { asked, lookup: publicLookup([`127.0.0.1:${socket.address().port}`]) };
}

test('finds the addresses of both families, and none of a name that does not exist', async () => {
  const { lookup } = await aNameServer();
  expect(await lookup('shop.example')).toEqual(['93.184.216.34', '2001:db8::1']);
  expect(await lookup('unknown.example')).toEqual([]);
});

test('many names whose servers do not answer delay no other name, and end without an address', async () => {
  const { lookup, asked } = await aNameServer();
  let ended = 0;
  const slow = Array.from({ length: 100 }, async (_, index) => {
    const addresses = await lookup(`slow${index}.example`);
    ended += 1;
    return addresses;
  });
  expect(await lookup('shop.example')).toHaveLength(2);
  expect(ended).toBe(0);
  expect(new Set(asked.filter((name) => name.startsWith('slow'))).size).toBeGreaterThan(50);
  expect((await Promise.all(slow)).flat()).toEqual([]);
}, 30_000);
