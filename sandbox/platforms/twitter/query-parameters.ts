import type { Call } from '../../platform.ts';
import { invalid } from './errors.ts';

/** Every parameter must be known. */
export function checkParameters(call: Call, allowed: readonly string[]): void {
  const unknown = [...call.query.keys()].find((name) => !allowed.includes(name));
  if (unknown === undefined) return;
  const value = call.query.get(unknown) ?? '';
  invalid(`The query parameter [${unknown}] is not one of [${allowed.join(',')}]`, { [unknown]: [value] });
}

/** The vendor drops a field or an expansion that it does not know, without an error. */
export function readFields(call: Call, parameter: string, known: readonly string[]): string[] {
  return (call.query.get(parameter) ?? '').split(',').filter((name) => known.includes(name));
}

export function readNames(call: Call, parameter: string, allowed: readonly string[]): string[] {
  const names = (call.query.get(parameter) ?? '').split(',').filter(Boolean);
  const unknown = names.find((name) => !allowed.includes(name));
  if (unknown !== undefined) {
    const message = `The \`${parameter}\` query parameter value [${unknown}] is not one of [${allowed.join(',')}]`;
    invalid(message, { [parameter]: names });
  }
  return names;
}

export function readIds(call: Call, max: number): string[] {
  const ids = (call.query.get('ids') ?? '').split(',').filter(Boolean);
  if (ids.length === 0) invalid('The `ids` query parameter can not be empty', { ids: [] });
  if (ids.length > max) {
    invalid(`The number of values in the \`ids\` query parameter list [${ids.length}] is not between 1 and ${max}`, {
      ids,
    });
  }
  for (const id of ids) checkId('ids', id);
  return ids;
}

export function readId(call: Call, parameter: string): bigint | undefined {
  const value = call.query.get(parameter);
  if (value === null) return undefined;
  checkId(parameter, value);
  return BigInt(value);
}

export function checkId(parameter: string, id: string): void {
  if (!/^\d{1,19}$/.test(id)) refuseValue(parameter, id, 'is not valid');
}

export function readCount(
  call: Call,
  parameter: string,
  { min, max, fallback }: Record<'min' | 'max' | 'fallback', number>,
) {
  const value = call.query.get(parameter);
  if (value === null) return fallback;
  const count = Number(value);
  if (!Number.isInteger(count) || count < min || count > max) {
    refuseValue(parameter, value, `is not between ${min} and ${max}`);
  }
  return count;
}

/** Returns milliseconds, rounded down to the second, because the vendor ignores smaller units. */
export function readTime(call: Call, parameter: string): number | undefined {
  const value = call.query.get(parameter);
  if (value === null) return undefined;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) && !Number.isNaN(Date.parse(value));
  if (!isTime) refuseValue(parameter, value, 'is not a valid RFC3339 time');
  return Math.floor(Date.parse(value) / 1000) * 1000;
}

export function refuseValue(parameter: string, value: string, why: string): never {
  invalid(`The \`${parameter}\` query parameter value [${value}] ${why}`, { [parameter]: [value] });
}
