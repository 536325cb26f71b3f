import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Server } from '../../../src/foundation/http/server.ts';
import { contractBody } from '../documents/contract-body.ts';
import type { Answer } from './service.ts';

/** Sends a form without a network, for tests where the transport does not matter. */
export async function injectForm(
  server: Server,
  path: string,
  form: FormData,
  headers: Record<string, string>,
): Promise<Answer> {
  const request = new Request('http://crier.test', { method: 'POST', body: form });
  const answer = await server.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: { ...headers, 'content-type': request.headers.get('content-type')! },
    payload: Readable.fromWeb(request.body as ReadableStream),
  });
  return { status: answer.statusCode, body: contractBody(answer.json()), headers: answer.headers };
}

/** A form of fields and one file. */
export function aForm(fields: Record<string, string>, file: string, bytes: Uint8Array): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(file, new Blob([new Uint8Array(bytes)]), 'file');
  return form;
}
