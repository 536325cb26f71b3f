import { type Fault, faultKinds, faultOperations } from '../faults.ts';
import { type HttpResponse, json } from '../http/http-response.ts';
import type { JsonObject } from '../http/json.ts';
import type { Sandbox } from '../platform.ts';
import { check, InvalidInput, oneOf, optional, wholeNumber } from './check.ts';
import { platformId } from './platform-checks.ts';

export function addFault(sandbox: Sandbox, input: JsonObject): HttpResponse {
  const fault = check(input, {
    network: platformId(sandbox),
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
    network: platform,
    kind,
    operation = 'any',
    status = null,
    retryAfterSeconds = 60,
    latencyMs = 0,
    skip = 0,
    times = 1,
  } = fault;
  const added = sandbox.faults.add({ platform, operation, kind, status, retryAfterSeconds, latencyMs, skip, times });
  return json(presentFault(added), 201);
}

export function listFaults(sandbox: Sandbox, input: JsonObject): HttpResponse {
  check(input, {});
  return json(sandbox.faults.list().map(presentFault));
}

export function clearFaults(sandbox: Sandbox, input: JsonObject): HttpResponse {
  const { network } = check(input, { network: optional(platformId(sandbox)) });
  sandbox.faults.clear(network);
  return json({ ok: true });
}

function presentFault({ id, platform, ...fault }: Fault) {
  return { id, network: platform, ...fault };
}
