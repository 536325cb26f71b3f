import type { DashboardSettings } from '@crier/client';
import { crier } from '../../lib/api.ts';

/**
 * Why this page cannot offer passkeys. Null: it can. The service knows only its own address, and people can open it by others.
 */
export function passkeyObstacle(settings: Pick<DashboardSettings, 'passkeys'> | undefined): string | null {
  const { hostname, port } = window.location;
  if (isAddress(hostname)) {
    const local = isLoopback(hostname) ? ` Open http://localhost${port && `:${port}`} to use them.` : '';
    return `Passkeys need a domain name, and this page was opened by an IP address.${local}`;
  }
  if (settings?.passkeys.reason) return settings.passkeys.reason;
  const isKnown = typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';
  return isKnown ? null : 'Passkeys need a newer browser.';
}

const isAddress = (hostname: string) => /^(\d+\.){3}\d+$|^\[/.test(hostname);
const isLoopback = (hostname: string) => hostname.startsWith('127.') || hostname === '[::1]';

/** Lets the person choose a passkey and signs in with it. */
export async function signInWithPasskey(): Promise<void> {
  const { options } = await crier.startPasskeySignIn();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = await navigator.credentials.get({ publicKey }).catch((cause) => {
    throw new Error('No passkey was used. Try again, or sign in with your password.', { cause });
  });
  const response = (credential as PublicKeyCredential).toJSON();
  await crier.signInWithPasskey({ response } as unknown as Parameters<typeof crier.signInWithPasskey>[0]);
}
