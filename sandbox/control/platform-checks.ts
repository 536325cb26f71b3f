import type { Sandbox, SandboxPlatform } from '../platform.ts';
import { type Check, oneOf } from './check.ts';

export function platformId(sandbox: Sandbox): Check<string> {
  return oneOf(sandbox.platforms.map(({ id }) => id));
}

export function knownPlatform(sandbox: Sandbox): Check<SandboxPlatform> {
  const checkId = platformId(sandbox);
  return (value) => {
    const id = checkId(value);
    const platform = sandbox.platforms.find((candidate) => candidate.id === id);
    if (!platform) throw new Error('a known network');
    return platform;
  };
}
