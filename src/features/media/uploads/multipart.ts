import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { Problem, type ProblemKey } from '../../../foundation/errors/index.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { StorageError } from '../../../foundation/storage/storage.ts';
import { type FormPart, partsOf } from './multipart-parts.ts';

/** Lets the routes of this scope accept `multipart/form-data`, which is not read until a handler does. */
export async function acceptForms(scope: Server) {
  scope.removeAllContentTypeParsers();
  scope.addHook('onRequest', async ({ headers: { 'content-type': type } }) => {
    if (type !== undefined && !/^multipart\/form-data\b/i.test(type)) throw new Problem('form_required');
  });
  // The handler reads the form. A body without a content type is not a form and is not read.
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  // The schema of a form is for the OpenAPI document only: the form is too large to validate in memory.
  scope.setValidatorCompiler<z.ZodType>((route) => (route.httpPart === 'body' ? () => true : validatorCompiler(route)));
}

/** In addition to the file, a form has a few short fields. */
export const formBytes = 65_536;

export interface FormFile {
  /** The name sent by the client, which may be empty. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface FormOptions<T> {
  fileField: string;
  /** The limit of the whole form. A longer form is not read to its end. */
  maxBytes: number;
  tooLarge: ProblemKey;
  /** Receives the file as a stream. Null for the empty file that a browser sends if none was chosen. */
  receive(file: FormFile): Promise<T | null>;
  /** Filled with the fields as they arrive, before or after the file. */
  fields: Map<string, string>;
}

/**
 * Reads a form to its end, which must be soon after its file. A request without a body is an empty form. If the form
 * breaks after its file, the file is disposed.
 */
export async function readForm<T extends AsyncDisposable>(
  request: FastifyRequest,
  { fileField, maxBytes, tooLarge, receive, fields }: FormOptions<T>,
): Promise<T | null> {
  const { raw } = request;
  if (raw.headers['content-type'] === undefined) return null;
  if (Number(raw.headers['content-length'] ?? 0) > maxBytes) throw refused(raw, new Problem(tooLarge));
  using watched = watch(raw, maxBytes + toleranceBytes);
  let received: T | null = null;
  try {
    for await (const part of formParts(raw)) {
      if (part.type === 'field') {
        if (!fields.has(part.name)) fields.set(part.name, part.value);
      } else if (part.name !== fileField) part.file.resume();
      else if (received) throw new Problem('form_invalid', { error: `Send one file as ${fileField}` });
      else {
        received = await receive({ name: part.fileName ?? '', bytes: bytesOf(part.file) });
        if (received) watched.endWithin(formBytes);
      }
    }
    return received;
  } catch (error) {
    await received?.[Symbol.asyncDispose]();
    throw refused(raw, explain(request, error, tooLarge));
  }
}

/** The form is malformed, or the connection was closed. */
class FormError extends Error {}

async function* formParts(raw: IncomingMessage): AsyncGenerator<FormPart> {
  try {
    yield* partsOf(raw);
  } catch (cause) {
    throw new FormError('the form', { cause });
  }
}

async function* bytesOf(file: AsyncIterable<Uint8Array>) {
  try {
    yield* file;
  } catch (cause) {
    throw new FormError('the file', { cause });
  }
}

/** How far a form may exceed its limit. Within this tolerance, the receiver of the file rejects it with a response. */
const toleranceBytes = 16 * 1_048_576;

/** Aborts a request that exceeds the limit. */
function watch(raw: IncomingMessage, maxBytes: number): Disposable & { endWithin(bytes: number): void } {
  let left = maxBytes;
  const count = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) raw.destroy();
  };
  raw.on('data', count);
  return {
    endWithin(bytes) {
      left = Math.min(left, bytes);
    },
    [Symbol.dispose]: () => void raw.off('data', count),
  };
}

/** Clients read the response only after they have sent everything, so the rest of the request is read and discarded. */
function refused(raw: IncomingMessage, error: unknown): unknown {
  if (raw.complete || raw.destroyed) return error;
  raw.resume();
  return error;
}

function explain({ raw }: FastifyRequest, error: unknown, tooLarge: ProblemKey): unknown {
  if (error instanceof FormError) {
    return new Problem(raw.destroyed && !raw.complete ? 'upload_broken_off' : 'form_invalid');
  }
  return error instanceof StorageError && error.kind === 'too_large' ? new Problem(tooLarge) : error;
}
