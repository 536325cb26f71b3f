import { type Graph, type GraphNode, graphSpec } from '../graph.ts';
import type { Spec } from '../spec.ts';

/** One file of Meta's api_specs, which describes one kind of object. */
export interface ApiSpec {
  readonly apis: readonly {
    readonly method: string;
    readonly endpoint?: string;
    readonly return?: string;
    readonly params: readonly { readonly name: string; readonly type: string; readonly required: boolean }[];
  }[];
  readonly fields: readonly { readonly name: string; readonly type: string }[];
}

/** Names in the specs for kinds whose file has another name. */
const aliases: Readonly<Record<string, string>> = { Media: 'IGMediaForIGOnlyAPI' };

export function apiSpecsSpec(specs: ReadonlyMap<string, ApiSpec>, folder: string): Spec {
  const graph: Graph = (kind) => {
    const spec = specs.get(aliases[kind] ?? kind);
    return spec ? nodeOf(spec) : null;
  };
  return graphSpec(graph, `Meta's api_specs (${folder})`);
}

function nodeOf({ apis, fields }: ApiSpec): GraphNode {
  return {
    fields: new Map(fields.map(({ name, type }) => [name, type])),
    calls: apis.map(({ method, endpoint = '', return: returned = null, params }) => ({
      method,
      edge: endpoint,
      returns: returned === 'Object' ? null : returned,
      parameters: new Map(params.map(({ name, type, required }) => [name, { type, required }])),
    })),
  };
}
