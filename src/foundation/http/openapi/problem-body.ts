import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import { codeOf, isProblemKey, problems } from '../../errors/index.ts';
import { referencesIn } from './components.ts';
import type { Convert, JsonSchema } from './schemas.ts';

const codes = [...new Set(Object.keys(problems).filter(isProblemKey).map(codeOf))].sort();
const component = (name: string) => z.unknown().meta({ $ref: `#/components/schemas/${name}` });

const ProblemCode = z.enum(codes).meta({
  id: 'ProblemCode',
  description: 'The current codes. More may be added, so handle unknown codes by the response status.',
});

/** The body of every response that is not a success. */
export const ProblemBody = z
  .looseObject({
    error: z.string().describe('A description of the error for people. If it is a symbol, `message` explains it.'),
    code: z.union([ProblemCode, z.string()]).describe('The error code for programs. Branch on it.'),
    hint: z
      .string()
      .optional()
      .describe('What to send instead: a header, a value in the correct form, or a different route.'),
    requestId: z
      .string()
      .optional()
      .describe('Same as the header `x-request-id`. `complete-media` sends only the header.'),
    message: z.string().optional().describe('More details about the error.'),
    field: z.string().optional().describe('The invalid field of the request, as a dotted path.'),
    retryable: z.boolean().optional().describe('Whether the same request can succeed later.'),
    retryAfterSec: z.number().optional().describe('Seconds to wait, as in the header `Retry-After`.'),
    suggestions: z.array(z.string()).optional().describe('What to do next.'),
    validation: component('ValidationReport').optional(),
    mediaResults: z.array(component('MediaUrlResult')).optional(),
  })
  .meta({
    id: 'Problem',
    description:
      'Why a request did not succeed. Further fields depend on the code; a plan limit, for example, adds `metric`, ' +
      '`limit`, `used`, `requested`, `remaining`, `periodStart`, `periodEnd` and `planName`.',
    examples: [{ error: 'What went wrong', code: 'STABLE_CODE', requestId: '019a86c2f4b07d3e5f8a9b0c' }],
  });

interface Parts {
  /** The routes that the document describes. */
  readonly own: readonly RouteOptions[];
  readonly others: readonly RouteOptions[];
}

/** `Problem` and `ProblemCode`, without the codes and fields that only other routes return. */
export function problemSchemas(convert: Convert, schemas: Record<string, JsonSchema>, { own, others }: Parts) {
  convert(ProblemBody, 'output');
  const { Problem, ProblemCode } = schemas;
  const foreign = new Set(others.flatMap(codesOf)).difference(new Set(own.flatMap(codesOf)));
  const isKnown = (field: object) => referencesIn(field).every((name) => name.replace('schemas/', '') in schemas);
  const fields = Object.entries(Problem?.properties ?? {}).filter(([, field]) => isKnown(Object(field)));
  return {
    Problem: { ...Problem, properties: Object.fromEntries(fields) },
    ProblemCode: { ...ProblemCode, enum: codes.filter((code) => !foreign.has(code)) },
  };
}

const codesOf = ({ config }: RouteOptions) => (config?.problems ?? []).map(codeOf);
