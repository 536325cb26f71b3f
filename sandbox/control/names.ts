import type { Network } from '../network.ts';
import type { Sandbox } from '../sandbox.ts';
import { type Check, oneOf } from './check.ts';

export function networkId(sandbox: Sandbox): Check<string> {
  return oneOf(sandbox.networks.map((network) => network.id));
}

export function aNetwork(sandbox: Sandbox): Check<Network> {
  const checkId = networkId(sandbox);
  return (value) => {
    const id = checkId(value);
    const network = sandbox.networks.find((candidate) => candidate.id === id);
    if (!network) throw new Error('a known network');
    return network;
  };
}
