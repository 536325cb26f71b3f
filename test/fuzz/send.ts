import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../chaos/random.ts';
import type { Shot } from './shots.ts';

export interface Answer {
  status: number;
  type: string;
  text: string;
}
/** Null if the request gets no response, or several that cannot be told apart. */
export type Send = (shot: Shot, random: Random) => Promise<Answer | null>;

const answerLimitMs = 40_000;

/** Sends most requests over keep-alive connections, and the odd ones over separate sockets. */
export function sender(url: string): Send {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  return (shot, random) =>
    shot.manner === 'whole' ? sendWhole(hostname, port, agent, shot) : sendOddly(hostname, Number(port), shot, random);
}

function sendWhole(host: string, port: string, agent: Agent, shot: Shot): Promise<Answer | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer | null>();
  const headers = shot.headers.flat();
  if (shot.body) headers.push('content-length', String(shot.body.length));
  const outgoing = request({
    host,
    port,
    agent,
    method: shot.method,
    path: shot.target,
    headers: ['host', `${host}:${port}`, ...headers],
  });
  outgoing.setTimeout(answerLimitMs, () => outgoing.destroy(new Error(`no answer within ${answerLimitMs / 1000} s`)));
  outgoing.once('error', (error: NodeJS.ErrnoException) => {
    // The service may have closed a reused connection, which the client could not know yet. Rejecting a large body also
    // closes the connection, while the body is being sent.
    if (outgoing.reusedSocket && error.code === 'ECONNRESET') return resolve(sendWhole(host, port, new Agent(), shot));
    if (shot.body && shot.body.length > 10_000 && ['EPIPE', 'ECONNRESET'].includes(error.code ?? '')) resolve(null);
    else reject(error);
  });
  outgoing.once('response', (response) => {
    const type = response.headers['content-type'] ?? '';
    const status = response.statusCode ?? 0;
    // A stream of events has no end.
    if (type.startsWith('text/event-stream')) {
      outgoing.destroy();
      return resolve({ status, type, text: '' });
    }
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.once('end', () => resolve({ status, type, text: withHeaders(Buffer.concat(chunks), response.headers) }));
    response.once('error', reject);
  });
  outgoing.end(shot.body ?? undefined);
  return promise;
}

/** Only text is compared with the document, so file contents are dropped. */
const withHeaders = (body: Buffer, headers: IncomingHttpHeaders) =>
  /json|text|html/.test(headers['content-type'] ?? '') ? body.toString() : '';

const faults = [
  'content-length: 5\r\ncontent-length: 6',
  'transfer-encoding: chunked\r\ncontent-length: 4',
  'transfer-encoding: nonsense',
  'content-length: -1',
  'content-length: 99999999999999999999',
  'bad header: x',
  'x-null: a\0b',
  ' folded: x',
  'expect: 100-continue',
  'expect: nonsense',
  'upgrade: websocket\r\nconnection: upgrade',
  'connection: close, x-request-id',
  'host: other.example',
];

async function sendOddly(host: string, port: number, shot: Shot, random: Random): Promise<Answer | null> {
  const socket = connect({ host, port });
  const received = receive(socket);
  const body = shot.body ?? Buffer.alloc(0);
  const head = headOf(shot, body.length, shot.manner === 'malformed' ? random.pick(faults) : null, random);
  const bytes = Buffer.concat([Buffer.from(head, 'latin1'), body]);
  try {
    if (shot.manner === 'slow') await inPieces(socket, bytes, random);
    else if (shot.manner === 'cut') socket.write(bytes.subarray(0, 1 + random.below(bytes.length)));
    else if (shot.manner === 'pipelined') socket.write(Buffer.concat([bytes, bytes, bytes]));
    else socket.write(bytes);
    if (shot.manner === 'slow') return answerIn(await received);
    // There may be several responses or half of one; only the state of the service afterwards counts.
    await sleep(random.below(shot.manner === 'pipelined' ? 150 : 30));
    return null;
  } finally {
    socket.destroy();
  }
}

function headOf(shot: Shot, length: number, fault: string | null, random: Random): string {
  const plain = shot.headers.map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n\0]/g, '')}`);
  const version = fault && random.chance(0.2) ? random.pick(['HTTP/1.0', 'HTTP/9.9', 'HTTX/1.1', '']) : 'HTTP/1.1';
  const target =
    fault && random.chance(0.2)
      ? random.pick(['*', 'http://other.example/', `/${'x'.repeat(30_000)}`, '\\', ''])
      : shot.target;
  const own = fault && random.chance(0.1) ? [] : ['host: crier.test'];
  const size = length > 0 ? [`content-length: ${length}`] : [];
  const close = shot.manner === 'slow' ? ['connection: close'] : [];
  return `${[`${shot.method} ${target} ${version}`, ...own, ...plain, ...size, ...close, ...(fault ? [fault] : [])].join('\r\n')}\r\n\r\n`;
}

async function inPieces(socket: Socket, bytes: Buffer, random: Random) {
  const pieces = 2 + random.below(5);
  const size = Math.ceil(bytes.length / pieces);
  for (let at = 0; at < bytes.length; at += size) {
    socket.write(bytes.subarray(at, at + size));
    await sleep(random.below(20));
  }
}

function receive(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.setTimeout(answerLimitMs, () => socket.destroy());
  return new Promise((resolve) => {
    const done = () => resolve(Buffer.concat(chunks));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      // A stream of events has no end.
      if (chunks.length === 1 && chunk.includes('text/event-stream')) socket.destroy();
    });
    socket.once('end', done).once('close', done);
    socket.on('error', () => {});
  });
}

/** Null for a chunked response, which only files and streams have. */
function answerIn(bytes: Buffer): Answer | null {
  const text = bytes.toString();
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  if (status === 0 || /transfer-encoding/i.test(head)) return null;
  return { status, type: /^content-type: (.*)$/im.exec(head)?.[1] ?? '', text: text.slice(end + 4) };
}
