import type { IncomingMessage } from 'node:http';
import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { Problem, type ProblemKey } from '../errors.ts';
import type { Server } from '../http/fastify.ts';
import { StorageError, type StorageErrorKind } from '../media/storage/storage.ts';

/** The routes of this scope take `multipart/form-data`, which stays on the wire until a handler reads it. */
export async function takeForms(scope: Server) {
  scope.removeAllContentTypeParsers();
  // Files are measured while they are stored: their limit depends on what they are for.
  const limits = {
    fileSize: Number.MAX_SAFE_INTEGER,
    files: 5,
    fields: 20,
    parts: 25,
    fieldSize: 1_000,
    headerPairs: 20,
  };
  await scope.register(multipart, { limits, throwFileSizeLimit: false });
  scope.addHook('onRequest', async ({ headers: { 'content-type': type } }) => {
    if (type !== undefined && !/^multipart\/form-data\b/i.test(type)) throw new Problem('form_required');
  });
  // Whatever comes without a type is no form, and is left where it is.
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  // A form's schema is for the document: its file is longer than any body that could be held to it.
  scope.setValidatorCompiler<z.ZodType>((route) => (route.httpPart === 'body' ? () => true : validatorCompiler(route)));
}

export interface FormFile {
  /** As the sender called it; perhaps empty. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface FormOptions<T> {
  fileField: string;
  /** Of the whole form. What is longer is not read to its end. */
  maxBytes: number;
  tooLarge: ProblemKey;
  /** Takes the file while it comes in. Null if it is none: a browser sends an empty one where nothing was chosen. */
  receive(file: FormFile): Promise<T | null>;
  /** Filled as the fields come in, before or after the file. */
  fields: Map<string, string>;
  /** A sender who is silent for so long is cut off. */
  stallMs?: number;
}

/** Nobody uploads for longer. */
export const longestUploadMs = 6 * 3_600_000;

/** Reads a form to its end; a request without any body is an empty one. What was made of its file is undone if the rest of the form is broken. */
export async function readForm<T extends AsyncDisposable>(
  request: FastifyRequest,
  { fileField, maxBytes, tooLarge, receive, fields, stallMs = 60_000 }: FormOptions<T>,
): Promise<T | null> {
  if (!request.isMultipart()) return null;
  const { raw } = request;
  if (Number(raw.headers['content-length'] ?? 0) > maxBytes) throw refused(raw, new Problem(tooLarge));
  using _watched = watch(raw, maxBytes, stallMs);
  let received: T | null = null;
  try {
    for await (const part of partsOf(request)) {
      if (part.type === 'field') {
        if (typeof part.value === 'string' && !fields.has(part.fieldname)) fields.set(part.fieldname, part.value);
      } else if (part.fieldname !== fileField) part.file.resume();
      else if (received) throw new Problem('form_invalid', { error: `Send one file as ${fileField}` });
      else received = await receive({ name: part.filename ?? '', bytes: bytesOf(part.file) });
    }
    return received;
  } catch (error) {
    await received?.[Symbol.asyncDispose]();
    throw refused(raw, explain(request, error, tooLarge));
  }
}

/** The form itself is to blame, or the line that it came over. */
class FormError extends Error {}

async function* partsOf(request: FastifyRequest) {
  try {
    yield* request.parts();
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

/** Besides its file, a form of ours holds next to nothing. Files are measured by who takes them, and refused politely. */
const mostElse = 16 * 1_048_576;

/** Cuts off who falls silent, takes too long, or sends no end of what nobody asked for. */
function watch(raw: IncomingMessage, maxBytes: number, stallMs: number): Disposable {
  let bytes = 0;
  const loop = setTimeout(() => {
    // It is we who are slow, not the sender.
    if (raw.isPaused() || raw.complete) loop.refresh();
    else raw.destroy();
  }, stallMs);
  const end = setTimeout(() => raw.destroy(), longestUploadMs);
  const count = (chunk: Buffer) => {
    loop.refresh();
    bytes += chunk.length;
    if (bytes > maxBytes + mostElse) raw.destroy();
  };
  raw.on('data', count);
  return {
    [Symbol.dispose]() {
      raw.off('data', count);
      clearTimeout(loop);
      clearTimeout(end);
    },
  };
}

/** How long a sender whom we have refused may go on before he notices. */
const noticeMs = 30_000;

/** An answer is read only by who has sent all that he wants to send: the rest is taken and thrown away. */
function refused(raw: IncomingMessage, error: unknown): unknown {
  if (raw.complete || raw.destroyed) return error;
  const end = setTimeout(() => raw.destroy(), noticeMs).unref();
  raw.once('close', () => clearTimeout(end));
  raw.unpipe();
  raw.resume();
  return error;
}

function explain(request: FastifyRequest, error: unknown, tooLarge: ProblemKey): unknown {
  const { raw } = request;
  if (error instanceof FormError) {
    return new Problem(raw.destroyed && !raw.complete ? 'upload_broken_off' : 'form_invalid');
  }
  if (error instanceof StorageError && error.kind === 'too_large') return new Problem(tooLarge);
  return storageProblem(request, error);
}

const troubles: Record<StorageErrorKind, ProblemKey> = {
  full: 'no_room',
  unavailable: 'storage_unavailable',
  missing: 'storage_unavailable',
  changed: 'storage_unavailable',
  too_large: 'storage_unavailable',
};

/** What a client is told of the storage's troubles; the log has the rest. */
export function storageProblem({ log }: Pick<FastifyRequest, 'log'>, error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  log.error({ err: error }, 'a file could not be stored');
  return new Problem(troubles[error.kind]);
}
