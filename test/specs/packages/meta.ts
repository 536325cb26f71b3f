import { existsSync } from 'node:fs';
import { type GraphCall, type GraphNode, graphSpec } from '../graph.ts';
import type { Spec } from '../spec.ts';
import { packageFile, packageVersion } from './package.ts';

const name = 'facebook-nodejs-business-sdk';

/**
 * Meta's own library has a class for each kind of object, with the names of its fields and a function for each edge.
 */
export function metaSpec(): Spec {
  const limits = 'It names fields and edges, but no parameters and no types.';
  return graphSpec(nodeOf, packageVersion(name), limits);
}

const verbs: Readonly<Record<string, string>> = { getEdge: 'GET', createEdge: 'POST', deleteEdge: 'DELETE' };

/** The library's class for videos uploads them, but does not name their fields. */
const unnamed = new Set(['AdVideo']);

function nodeOf(kind: string): GraphNode | null {
  if (unnamed.has(kind)) return null;
  const path = `${name}/src/objects/${fileName(kind)}.js`;
  if (!existsSync(new URL(`../node_modules/${path}`, import.meta.url))) return null;
  const code = packageFile(path);
  const [, listed = ''] = /static get Fields \(\)[^{]*\{\s*return Object\.freeze\(\{([\s\S]*?)\}\)/.exec(code) ?? [];
  const fields = new Map([...listed.matchAll(/: '([^']+)'/g)].map(([, field]) => [field ?? '', null]));
  const calls = [...code.matchAll(/\.(getEdge|createEdge|deleteEdge)\(([\s\S]*?)\);/g)].map(
    ([, verb = '', given = '']): GraphCall => {
      const [, edge = ''] = /'\/([^']*)'/.exec(given) ?? [];
      const [, returned = null] = verb === 'getEdge' ? (/^\s*(\w+),/.exec(given) ?? []) : [];
      return {
        method: verbs[verb] ?? '',
        edge,
        returns: returned === 'AbstractObject' ? null : returned,
        parameters: null,
      };
    },
  );
  return { fields, calls };
}

/** `IGUserForIGOnlyAPI` is in the file `ig-user-for-ig-only-api`. */
const fileName = (kind: string) =>
  kind
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
