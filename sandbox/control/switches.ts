import { type HttpResponse, json } from '../http/http-response.ts';
import type { JsonObject } from '../http/json.ts';
import type { Sandbox } from '../platform.ts';
import { check, flag, InvalidInput, someText } from './check.ts';
import { knownPlatform } from './platform-checks.ts';

export function listSwitches(sandbox: Sandbox, input: JsonObject): HttpResponse {
  check(input, {});
  const switches = sandbox.platforms.flatMap(({ id, switches = {} }) =>
    Object.entries(switches).map(([name, about]) => ({
      network: id,
      name,
      about,
      on: sandbox.switches.isOn(id, name),
    })),
  );
  return json(switches);
}

export function setSwitch(sandbox: Sandbox, input: JsonObject): HttpResponse {
  const { network, name, on } = check(input, { network: knownPlatform(sandbox), name: someText, on: flag });
  const names = Object.keys(network.switches ?? {});
  if (!names.includes(name)) {
    throw new InvalidInput(`\`name\` must be a switch of ${network.name}: ${names.join(', ') || 'it has none'}.`);
  }
  sandbox.switches.set(network.id, name, on);
  return json({ network: network.id, name, on });
}
