import type { Json } from '../../../foundation/lib/json.ts';
import type { Exchange, Transcript, Verdict } from './transcript.ts';

/**
 * The differences between two proofs of the same network, in sentences. Ids, times and texts always differ; the
 * comparison covers the calls made, their statuses, and the fields of the responses.
 */
export function differences(first: Transcript, second: Transcript): string[] {
  const [one, other] = namesOf(first, second);
  const checks = [...new Set([...first.verdicts, ...second.verdicts].map(({ check }) => check))];
  return checks.flatMap((check) => {
    const [mine, theirs] = [verdictOn(first, check), verdictOn(second, check)];
    const verdicts = mine?.outcome === theirs?.outcome ? [] : [`${one}: ${said(mine)}; ${other}: ${said(theirs)}`];
    const calls = callDifferences(callsIn(first, check), callsIn(second, check), one, other);
    return [...verdicts, ...calls].map((difference) => `${check}: ${difference}`);
  });
}

function namesOf(first: Transcript, second: Transcript): [string, string] {
  if (first.mode === second.mode) return ['the first run', 'the second'];
  return [nameOf(first), nameOf(second)];
}

const nameOf = ({ mode }: Transcript) => (mode === 'live' ? 'the network' : 'the sandbox');
const verdictOn = ({ verdicts }: Transcript, name: string) => verdicts.find(({ check }) => check === name);
const said = (verdict: Verdict | undefined) =>
  verdict ? `${verdict.outcome}${verdict.detail && ` (${verdict.detail})`}` : 'not tried';

/** The first response to each kind of call, by its method and URL without ids. */
function callsIn({ exchanges }: Transcript, name: string): Map<string, Exchange> {
  const calls = new Map<string, Exchange>();
  for (const exchange of exchanges.filter(({ check }) => check === name)) {
    const kind = kindOf(exchange);
    if (!calls.has(kind)) calls.set(kind, exchange);
  }
  return calls;
}

/** If anyone may run a server, accounts live on different hosts, so the host is ignored. */
export function kindOf({ method, url }: Pick<Exchange, 'method' | 'url'>): string {
  const path = new URL(url).pathname
    .split('/')
    .map((part) => (/\d{4,}|^\d+$|[%:=@]|^\[secret]$|[\w-]{20,}/.test(part) ? '…' : part))
    .join('/');
  return `${method} ${path}`;
}

function callDifferences(
  first: ReadonlyMap<string, Exchange>,
  second: ReadonlyMap<string, Exchange>,
  one: string,
  other: string,
): string[] {
  const kinds = [...new Set([...first.keys(), ...second.keys()])];
  return kinds.flatMap((kind) => {
    const [mine, theirs] = [first.get(kind), second.get(kind)];
    if (!mine || !theirs) return [`${kind} was called on ${mine ? one : other} only`];
    const [answer, otherAnswer] = [mine.response, theirs.response];
    if (answer?.status !== otherAnswer?.status)
      return [`${kind}: ${one} answered ${answer?.status ?? 'nothing'}, ${other} ${otherAnswer?.status ?? 'nothing'}`];
    return fieldDifferences(answer?.body ?? null, otherAnswer?.body ?? null, one, other).map(
      (text) => `${kind}: ${text}`,
    );
  });
}

function fieldDifferences(first: Json, second: Json, one: string, other: string): string[] {
  const [mine, theirs] = [fieldsOf(first), fieldsOf(second)];
  return [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((field) => {
    const [type, otherType] = [typeIn(mine, field), typeIn(theirs, field)];
    if (!type || !otherType) return [onlyIn(field, type ? one : other)];
    return type === otherType || type === nothing || otherType === nothing
      ? []
      : [`"${field}" is ${type} on ${one}, ${otherType} on ${other}`];
  });
}

const onlyIn = (field: string, side: string) => `"${field}" is only in the response of ${side}`;

/** For null and empty lists, which show neither a type nor the type of their items. */
const nothing = 'nothing';

/**
 * Undefined only if the response shows that the field does not exist. An empty parent or a nested field leaves its type
 * open.
 */
function typeIn(fields: ReadonlyMap<string, string>, field: string): string | undefined {
  const isIn = (inner: string, outer: string) => inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[]`);
  const isUntold = [...fields].some(([name, type]) => isIn(name, field) || (type === nothing && isIn(field, name)));
  return fields.get(field) ?? (isUntold ? nothing : undefined);
}

/** The type of each field, by its path. */
function fieldsOf(value: Json, path = ''): Map<string, string> {
  if (value === null || (Array.isArray(value) && value.length === 0)) return new Map(path ? [[path, nothing]] : []);
  if (Array.isArray(value)) return new Map(value.flatMap((item) => [...fieldsOf(item, `${path}[]`)]));
  if (typeof value !== 'object') return new Map(path ? [[path, typeof value]] : []);
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [...fieldsOf(inner as Json, path ? `${path}.${name}` : name)]),
  );
}
