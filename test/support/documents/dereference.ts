/** A copy of an OpenAPI document in which each `$ref` is replaced by its target. */
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

/** The target of a reference such as `#/components/schemas/PostGroup`; undefined if it does not exist. */
export const resolve = (document: object, reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
