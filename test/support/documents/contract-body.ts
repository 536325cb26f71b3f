import { type ProblemEntry, problems } from '../../../src/foundation/errors/index.ts';

const contractCodes = new Set(Object.values<ProblemEntry>(problems).flatMap(({ code }) => code ?? []));

/**
 * The body of a response without Crier's additions to every error (the request id, hints, its own codes), so that tests
 * can compare it with the whole body in the contract. The additions have their own tests in `src/foundation/http`.
 */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the body, whatever its shape.
export function contractBody(body: any): any {
  if (typeof body?.error !== 'string') return body;
  const { requestId: _id, hint: _hint, code, ...rest } = body;
  return contractCodes.has(code) ? { ...rest, code } : rest;
}
