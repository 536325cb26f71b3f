import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { HttpResponse } from './http-response.ts';

export async function sendResponse(
  request: IncomingMessage,
  connection: ServerResponse,
  { status, headers, body }: HttpResponse,
  more?: Record<string, string>,
): Promise<void> {
  if (typeof body === 'object' && 'file' in body) return sendFile(request, connection, headers, body.file);
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  connection.writeHead(status, { ...more, ...headers, 'content-length': length });
  connection.end(request.method === 'HEAD' ? undefined : body);
}

async function sendFile(
  request: IncomingMessage,
  connection: ServerResponse,
  headers: Readonly<Record<string, string>>,
  path: string,
): Promise<void> {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) {
    connection.writeHead(404).end();
    return;
  }
  const { start, end } = readRange(request.headers.range, size) ?? { start: 0, end: size - 1 };
  const isPart = end - start + 1 < size;
  connection.writeHead(isPart ? 206 : 200, {
    ...headers,
    'accept-ranges': 'bytes',
    'content-length': end - start + 1,
    ...(isPart && { 'content-range': `bytes ${start}-${end}/${size}` }),
  });
  if (request.method === 'HEAD' || size === 0) connection.end();
  else await pipeline(createReadStream(path, { start, end }), connection);
}

/** Video players ask for byte ranges. Without them they cannot seek. */
function readRange(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || from + to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start <= end ? { start, end } : undefined;
}
