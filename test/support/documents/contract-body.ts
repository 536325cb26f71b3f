import { type ProblemEntry, problems } from '../../../src/foundation/errors/index.ts';

const contractCodes = new Set(Object.values<ProblemEntry>(problems).flatMap(({ code }) => code ?? []));

/**
 * The body of an answer without what Crier adds to every error (the id of the request, hints, codes of its own), so that tests
 * can compare it with the whole body that the contract shows. The additions have their own tests in `src/foundation/http`.
 */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the body, whatever its shape.
export function contractBody(body: any): any {
  if (typeof body?.error !== 'string') return body;
  const { requestId: _id, hint: _hint, code, ...rest } = body;
  return contractCodes.has(code) ? { ...rest, code } : rest;
}
