import { connect as connectSocket, type Socket } from 'node:net';
import { setTimeout as turn } from 'node:timers/promises';
import type { buildConnector } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { egressTo, failureOf, serveCanary, serveCounted } from '../../../test/support/servers/egress.ts';
import { exceptionsFrom } from './check-url.ts';
import { checkedConnect } from './connect.ts';

let canary: Awaited<ReturnType<typeof serveCanary>>;
beforeAll(async () => {
  canary = await serveCanary();
});
afterAll(() => canary[Symbol.asyncDispose]());

/** Requests a name that resolves to these addresses, through an egress whose sockets all end at the canary. */
async function reach(addresses: readonly string[]) {
  const egress = egressTo(canary.port, { lookup: async () => addresses });
  const failure = await failureOf(egress.request('https://name.example/'));
  await egress.close();
  return failure;
}

test('the canary sees what is let through', async () => {
  await using reached = await serveCanary();
  const egress = egressTo(0, { allow: [`name.example:${reached.port}`], lookup: async () => ['127.0.0.1'] });
  await (await egress.request(`http://name.example:${reached.port}/`)).text();
  expect(reached.connections()).toBe(1);
  await egress.close();
});

describe('a name is refused without a connection when it resolves to', () => {
  test.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%lo',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    '2001:0:7f00:1::1',
  ])('%s', async (address) => {
    expect(await reach([address])).toMatchObject({ code: 'blocked_host', sent: false });
    expect(canary.connections()).toBe(0);
  });

  test.each([
    ['a good address, then a bad one', ['93.184.216.34', '127.0.0.1']],
    ['a bad address, then a good one', ['127.0.0.1', '93.184.216.34']],
    ['a good IPv6 address and a bad IPv4 one', ['2606:4700::1111', '127.0.0.1']],
  ])('%s', async (_name, addresses) => {
    expect(await reach(addresses)).toMatchObject({ code: 'blocked_host', sent: false });
    expect(canary.connections()).toBe(0);
  });
});

describe('a look-up', () => {
  test('that was public when it was checked is checked again when the socket connects', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const lookup = async () => answers.shift() ?? [];
    const egress = egressTo(canary.port, { lookup });
    expect(await lookup()).toEqual(['93.184.216.34']);
    expect(await failureOf(egress.request('https://rebinding.example/'))).toMatchObject({ code: 'blocked_host' });
    expect(canary.connections()).toBe(0);
    await egress.close();
  });

  test('happens once per connection, so a second answer cannot differ', async () => {
    await using server = await serveCounted((_request, response) => response.end('ok'));
    let asked = 0;
    const lookup = async () => (asked++ === 0 ? ['127.0.0.1'] : []);
    const egress = egressTo(0, { allow: [`changing.example:${server.port}`], lookup });
    expect(await (await egress.request(`http://changing.example:${server.port}/`)).text()).toBe('ok');
    await turn();
    expect(await (await egress.request(`http://changing.example:${server.port}/`)).text()).toBe('ok');
    expect([asked, server.connections()]).toEqual([1, 1]);
    await egress.close();
  });

  test('of one name opens no connection for another name at the same address', async () => {
    await using server = await serveCounted((_request, response) => response.end('ok'));
    const allow = [`friend.example:${server.port}`];
    const egress = egressTo(server.port, { allow, lookup: async () => ['127.0.0.1'] });
    expect(await (await egress.request(`http://friend.example:${server.port}/`)).text()).toBe('ok');
    expect((await failureOf(egress.request('https://stranger.example/'))).code).toBe('blocked_host');
    expect(server.connections()).toBe(1);
    await egress.close();
  });

  test.each([
    ['finds nothing', async () => []],
    ['fails', () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND 10.0.0.53'), { code: 'ENOTFOUND' }))],
  ])('that %s is reported as such', async (_name, lookup) => {
    const egress = egressTo(canary.port, { lookup });
    const failure = await failureOf(egress.request('https://nowhere.example/'));
    expect(failure).toMatchObject({ code: 'dns', sent: false });
    expect(failure.message).toBe('nowhere.example has no address: no such host was found.');
    await egress.close();
  });

  test('that never ends is aborted by the timeout', async () => {
    const egress = egressTo(canary.port, { lookup: () => new Promise(() => {}) });
    const failure = await failureOf(egress.request('https://slow.example/', { timeoutMs: 50 }));
    expect(failure).toMatchObject({ code: 'timeout', sent: false });
    await egress.close();
  });
});

describe('the socket itself is checked', () => {
  const target = { protocol: 'https:', port: '443', host: 'name.example', hostname: 'name.example' };

  test('and closed when it is connected to a private address, whatever the look-up said', async () => {
    await using server = await serveCanary();
    let opened: Socket | undefined;
    const toLoopback: buildConnector.connector = (_options, done) => {
      const socket = connectSocket(server.port, '127.0.0.1', () => done(null, socket));
      opened = socket;
    };
    expect(await outcome(checkedConnect(exceptionsFrom([]), toLoopback, toLoopback), target)).toMatchObject({
      code: 'blocked_host',
    });
    expect(opened?.destroyed).toBe(true);
  });

  test('and a literal address is refused before a socket is opened', async () => {
    const never: buildConnector.connector = () => expect.unreachable();
    const connect = checkedConnect(exceptionsFrom([]), never, never);
    for (const hostname of ['127.0.0.1', '::1', '::ffff:127.0.0.1', 'fe80::1']) {
      const host = hostname.includes(':') ? `[${hostname}]` : hostname;
      expect(await outcome(connect, { ...target, host, hostname })).toMatchObject({ code: 'blocked_host' });
    }
  });

  function outcome(connect: buildConnector.connector, options: buildConnector.Options) {
    return new Promise((resolve) => connect(options, (error, socket) => resolve(error ?? socket)));
  }
});
