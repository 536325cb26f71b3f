import { type Answer, json } from '../answer.ts';
import { faultKinds, faultOperations } from '../faults.ts';
import type { JsonObject } from '../json.ts';
import type { Sandbox } from '../sandbox.ts';
import { check, InvalidInput, oneOf, optional, wholeNumber } from './check.ts';
import { networkId } from './names.ts';

export function addFault(sandbox: Sandbox, input: JsonObject): Answer {
  const fault = check(input, {
    network: networkId(sandbox),
    operation: optional(oneOf(faultOperations)),
    kind: oneOf(faultKinds),
    status: optional(wholeNumber(400, 599)),
    retryAfterSeconds: optional(wholeNumber(0, 86_400)),
    latencyMs: optional(wholeNumber(1, 600_000)),
    skip: optional(wholeNumber(0, 1_000_000)),
    times: optional(wholeNumber(1, 1_000_000)),
  });
  if (fault.kind === 'status' && fault.status === undefined) {
    throw new InvalidInput('`status` must be a whole number from 400 to 599 when `kind` is "status".');
  }
  if (fault.kind === 'latency' && fault.latencyMs === undefined) {
    throw new InvalidInput('`latencyMs` must be a whole number from 1 to 600000 when `kind` is "latency".');
  }
  const {
    network,
    kind,
    operation = 'any',
    status = null,
    retryAfterSeconds = 60,
    latencyMs = 0,
    skip = 0,
    times = 1,
  } = fault;
  return json(sandbox.faults.add({ network, operation, kind, status, retryAfterSeconds, latencyMs, skip, times }), 201);
}

export function listFaults(sandbox: Sandbox, input: JsonObject): Answer {
  check(input, {});
  return json(sandbox.faults.list());
}

export function clearFaults(sandbox: Sandbox, input: JsonObject): Answer {
  const { network } = check(input, { network: optional(networkId(sandbox)) });
  sandbox.faults.clear(network);
  return json({ ok: true });
}
