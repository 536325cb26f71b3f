import type { FastifySerializerCompiler } from 'fastify';
import { ResponseSerializationError } from 'fastify-type-provider-zod';
import { z } from 'zod';

/** Whether a response never changes and can be encoded once. Such responses are short. */
export const isConstant = (answer: unknown): answer is object =>
  typeof answer === 'object' && answer !== null && Object.isFrozen(answer);

const texts = new WeakMap<object, string>();

/** Encodes each response by the schema of its route, which drops unknown fields. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema, method, url }) => {
  return (answer: unknown) => {
    const known = isConstant(answer) ? texts.get(answer) : undefined;
    if (known !== undefined) return known;
    const { data, error } = z.safeEncode(schema, answer);
    if (error) throw new ResponseSerializationError(method, url, { cause: error });
    const text = JSON.stringify(data);
    if (isConstant(answer)) texts.set(answer, text);
    return text;
  };
};
