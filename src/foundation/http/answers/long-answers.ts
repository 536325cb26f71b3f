import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { inTurns, type Pausable } from '../../text/in-turns.ts';
import { withWarnings } from '../requests/input-warnings.ts';
import type { Server } from '../server.ts';
import { createHeldAnswers } from './held-answers.ts';
import { isConstant } from './serializer.ts';
import { readerOf } from './unread-answers.ts';

declare module 'fastify' {
  interface FastifyReply {
    longAnswer: Readable | null;
  }
}

/** Shorter responses are written in one go, in a few milliseconds. */
const longCharacters = 200_000;
const pieceCharacters = 65_536;
/** Weighing stops here: the longest pages have 30 million characters. */
const mostWeighed = 40_000_000;
/** What an item takes besides its text, in characters. */
const itemWeight = 10;

/**
 * Writes long responses in pieces, in turns with other work and as fast as the client reads. A page of long posts then
 * neither blocks the event loop nor is held in memory twice. The response schema applies as usual.
 */
export function writeLongAnswersInTurns(server: Server) {
  server.decorateReply('longAnswer', null);
  server.addHook('preSerialization', (request, reply, payload, done) => {
    if (isConstant(payload) || !isLong(payload, longCharacters)) return done(null, payload);
    prepare(request, reply, payload).then(() => done(null, payload), done);
  });
  server.addHook('onSend', (_request, { longAnswer }, payload, done) => done(null, longAnswer ?? payload));
}

async function prepare(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void> {
  // By now, any change has been made, and its response is not much longer than its request.
  if (request.method === 'GET') countUntilRead(request, reply, weightOf(payload, mostWeighed));
  const shapes = request.routeOptions.schema?.response ?? {};
  const shape: unknown = Reflect.get(shapes, String(reply.statusCode));
  const encoded = shape instanceof z.ZodType ? await inTurns(encode(shape, payload)) : payload;
  const answer = withWarnings(encoded, request, reply);
  reply.longAnswer = Readable.from(inPieces(answer), { objectMode: false });
  reply.serializer(() => '');
}

const held = createHeldAnswers();

/** Throws if the owner has too many long responses in progress. Call it before reading the texts of a long response. */
export const requireFewLongAnswers = (owner: string) => held.requireRoom(owner);

function countUntilRead(request: FastifyRequest, { raw }: FastifyReply, characters: number) {
  // The client has left, and its connection closes only once.
  if (raw.destroyed) return;
  const { mostMs, release } = held.hold(readerOf(request), characters);
  const timer = setTimeout(() => raw.destroy(), mostMs).unref();
  raw.once('close', () => {
    clearTimeout(timer);
    release();
  });
}

/** Same as `shape.encode(value)`, but in parts where the value is long. */
function* encode(shape: z.ZodType, value: unknown): Pausable<unknown> {
  yield;
  if (!isLong(value, pieceCharacters)) return shape.encode(value);
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodNullable) return yield* encode(inner(shape), value);
  if (shape instanceof z.ZodArray && Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(yield* encode(inner(shape), item));
    return items;
  }
  if (!isPlainObject(shape) || typeof value !== 'object' || value === null) return shape.encode(value);
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(shape.shape)) {
    if (name in value) fields.push([name, yield* encode(field as z.ZodType, Reflect.get(value, name))]);
    // A missing field is our bug, unless its shape allows it.
    else z.object({ [name]: field }).encode({} as never);
  }
  return Object.fromEntries(fields);
}

const inner = (shape: z.ZodOptional | z.ZodNullable | z.ZodArray) =>
  (shape instanceof z.ZodArray ? shape.element : shape.unwrap()) as z.ZodType;

/** An object that drops unknown fields and has no extra checks. */
const isPlainObject = (shape: z.ZodType): shape is z.ZodObject =>
  shape instanceof z.ZodObject && shape.def.catchall === undefined && !shape.def.checks?.length;

/** Whether a value takes at least as much memory as this many characters. */
const isLong = (value: unknown, characters: number) => weightOf(value, characters) >= characters;

/** About how many characters take as much memory as a value. Stops counting at `most`. */
function weightOf(value: unknown, most: number): number {
  let weight = 0;
  const open: object[] = [];
  const count = (item: unknown) => {
    weight += itemWeight;
    if (typeof item === 'string') weight += item.length;
    else if (typeof item === 'object' && item !== null) open.push(item);
  };
  count(value);
  while (weight < most) {
    const one = open.pop();
    if (one === undefined) break;
    // Not Object.values: every response is counted, and building lists of values would be most of the work.
    if (Array.isArray(one)) for (const item of one) count(item);
    else for (const name in one) count(one[name as keyof typeof one]);
  }
  return weight;
}

async function* inPieces(answer: unknown): AsyncGenerator<Buffer> {
  const texts = json(answer);
  for (let piece = await inTurns(nextPiece(texts)); piece !== ''; piece = await inTurns(nextPiece(texts))) {
    yield Buffer.from(piece);
  }
}

function* nextPiece(texts: Generator<string>): Pausable<string> {
  let piece = '';
  while (piece.length < pieceCharacters) {
    const { done, value } = texts.next();
    if (done) break;
    piece += value;
    yield;
  }
  return piece;
}

/** The same text as JSON.stringify, in pieces. */
function* json(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || !isLong(value, pieceCharacters)) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isList = Array.isArray(value);
  const fields = Object.entries(value).filter(([, item]) => isList || item !== undefined);
  yield isList ? '[' : '{';
  for (const [i, [name, item]] of fields.entries()) {
    yield `${i > 0 ? ',' : ''}${isList ? '' : `${JSON.stringify(name)}:`}`;
    yield* json(item);
  }
  yield isList ? ']' : '}';
}
