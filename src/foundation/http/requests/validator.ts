import type { FastifySchemaCompiler } from 'fastify';
import { validatorCompiler as zodCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';

/** Fastify turns all of them into text, but the response covers only the first. */
const maxIssues = 3;

/** Validates each part of a request by the schema of its route. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = (route) => {
  const validate = zodCompiler(route);
  return (data: unknown) => {
    const result = validate(data);
    const issues = typeof result === 'object' && 'error' in result ? result.error : null;
    return Array.isArray(issues) ? { error: issues.slice(0, maxIssues) } : result;
  };
};
