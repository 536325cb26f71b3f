type Components = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** The components that the rest of a document refers to, directly or through others, or uses as credentials. */
export function usedComponents<T extends Components>(described: object, all: T): T {
  const used = new Set<string>();
  const follow = (value: object) => {
    for (const reference of referencesIn(value)) {
      if (used.has(reference)) continue;
      used.add(reference);
      const [kind = '', name = ''] = reference.split('/');
      follow(all[kind]?.[name] ?? {});
    }
  };
  follow(described);
  const isUsed = (kind: string, name: string) =>
    kind === 'securitySchemes' ? names(described, name) : used.has(`${kind}/${name}`);
  return Object.fromEntries(
    Object.entries(all).map(([kind, components]) => [
      kind,
      Object.fromEntries(Object.entries(components).filter(([name]) => isUsed(kind, name))),
    ]),
  ) as T;
}

/** For example `schemas/PostGroup`. */
export const referencesIn = (value: object): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, reference = '']) => reference);

/** Whether an operation accepts these credentials. */
const names = (described: object, scheme: string) => JSON.stringify(described).includes(`{"${scheme}":[`);
