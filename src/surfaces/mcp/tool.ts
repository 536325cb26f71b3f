import type { JSONObject } from '@modelcontextprotocol/server';
import type { RouteOptions } from 'fastify';
import type { Operations } from './operations.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** The arguments of a tool, as JSON Schema. */
export type ArgumentsSchema = {
  type: 'object';
  properties: Record<string, JSONObject>;
  required: string[];
};

/**
 * One operation of the REST API as an agent sees it. Its arguments are the operation's parameters and body fields in
 * one object, and its result is the operation's response.
 */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For an agent: what it does, and which tool to use before, after or instead. */
  readonly description: string;
  readonly operationId: string;
  readonly effect: 'read' | 'write' | 'destructive';
  /** Repeating the call with the same arguments changes nothing more. */
  readonly isIdempotent?: true;
  /** Reaches a network, or a URL on the web. */
  readonly isOpenWorld?: true;
  /** Listed only to keys with workspace access. */
  readonly isForWorkspaces?: true;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Selects the operation's arguments that the tool shows. Default: all. */
  input?(schema: ArgumentsSchema): ArgumentsSchema;
  /** The operation's fields, if they differ from the tool's arguments. */
  fields?(args: Arguments): Arguments;
  /** The result, if it differs from the operation's response. */
  result?(answer: Record<string, unknown>, args: Arguments): Record<string, unknown>;
}

export function without(schema: ArgumentsSchema, ...names: string[]): ArgumentsSchema {
  const isKept = (name: string) => !names.includes(name);
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(schema.properties).filter(([name]) => isKept(name))),
    required: schema.required.filter(isKept),
  };
}

export const requiring = (schema: ArgumentsSchema, ...names: string[]): ArgumentsSchema => ({
  ...schema,
  required: [...new Set([...schema.required, ...names])],
});

export const adding = (schema: ArgumentsSchema, properties: Record<string, JSONObject>): ArgumentsSchema => ({
  ...schema,
  properties: { ...schema.properties, ...properties },
});

export function routeOf(operations: Operations, { name, operationId }: Tool): RouteOptions {
  const route = operations.get(operationId);
  if (!route) throw new Error(`The tool ${name} names the operation ${operationId}, which does not exist.`);
  return route;
}
