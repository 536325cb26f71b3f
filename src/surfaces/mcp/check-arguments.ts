import { Ajv } from '@modelcontextprotocol/server/validators/ajv';
import { Problem } from '../../foundation/errors/index.ts';
import { expectedBy } from '../../foundation/http/requests/expected-value.ts';
import type { Arguments, ArgumentsSchema } from './tool.ts';

/**
 * Stops at the first error, so that a list of many invalid items costs no more than a list with one. Formats are left
 * to the routes, whose errors about a time are more helpful.
 */
const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false });

type Validate = ReturnType<typeof ajv.compile>;
type SchemaError = NonNullable<Validate['errors']>[number];

/** Refuses arguments that the schema does not allow: a route would replace some of them with the default. */
export function argumentsCheck(schema: ArgumentsSchema): (args: Arguments) => void {
  const validate = ajv.compile(schema);
  return (args) => {
    if (!validate(args)) throw problemOf(validate.errors ?? []);
  };
}

/** Among the alternatives of a field, assume the one that matches furthest. */
function problemOf(errors: readonly SchemaError[]): Problem {
  const depth = ({ instancePath }: SchemaError) => instancePath.split('/').length;
  const [error] = errors.toSorted((one, other) => depth(other) - depth(one));
  const { missingProperty, additionalProperty } = error?.params ?? {};
  const path = [...(error?.instancePath.split('/').slice(1) ?? []), missingProperty ?? additionalProperty ?? []].flat();
  const field = path.join('.').slice(0, 200);
  return new Problem('invalid_request', { error: `${field} ${wordsOf(error)}`, field });
}

function wordsOf(error?: SchemaError): string {
  if (error?.keyword === 'required') return 'is required';
  if (error?.keyword === 'additionalProperties') return 'does not exist';
  const expected = error && expectedBy(issueOf(error));
  return expected ? `must be ${expected}` : (error?.message ?? 'is not valid');
}

/** The same issue as in the REST API, so that both give the same message. */
function issueOf({ keyword, params }: SchemaError): Parameters<typeof expectedBy>[0] {
  const { type, allowedValues, limit } = params;
  if (keyword === 'type') return { expected: type === 'integer' ? 'int' : type };
  if (keyword === 'enum') return { values: allowedValues };
  const origin = keyword.endsWith('Length') ? 'string' : keyword.endsWith('Items') ? 'array' : 'number';
  if (keyword.startsWith('min')) return { minimum: limit, origin };
  if (keyword.startsWith('max')) return { maximum: limit, origin };
  return {};
}
