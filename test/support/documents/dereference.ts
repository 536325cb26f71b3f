/** A copy of an OpenAPI document in which the target of each `$ref` stands in its place. */
export function dereference<T extends object>(document: T): T {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as Record<string, unknown>;
    const target = typeof $ref === 'string' ? (copy(resolve(document, $ref)) as object) : {};
    return { ...target, ...Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, copy(item)])) };
  };
  return copy(document) as T;
}

/** What `#/components/schemas/PostGroup` refers to; undefined if there is nothing. */
export const resolve = (document: object, reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
