import type { DashboardSettings } from '@crier/client';
import { crier } from '../../lib/api.ts';

/**
 * Why passkeys aren't available on this page. Null: they are. The service only knows its own address, but may have others.
 */
export function passkeyObstacle(settings: Pick<DashboardSettings, 'passkeys'> | undefined): string | null {
  const { hostname, port } = window.location;
  if (isAddress(hostname)) {
    const local = isLoopback(hostname) ? ` Open http://localhost${port && `:${port}`} to use them.` : '';
    return `Passkeys need a domain name, but you opened this page with an IP address.${local}`;
  }
  if (settings?.passkeys.reason) return settings.passkeys.reason;
  const isKnown = typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';
  return isKnown ? null : 'Passkeys need a newer browser.';
}

const isAddress = (hostname: string) => /^(\d+\.){3}\d+$|^\[/.test(hostname);
const isLoopback = (hostname: string) => hostname.startsWith('127.') || hostname === '[::1]';

/** Signs in with a passkey that the user chooses. */
export async function signInWithPasskey(): Promise<void> {
  await crier.signInWithPasskey({ response: await askForPasskey() });
}

type Assertion = Parameters<typeof crier.signInWithPasskey>[0]['response'];

/** The response of an authenticator, which proves who the person is. */
export async function askForPasskey(): Promise<Assertion> {
  const { options } = await crier.startPasskeySignIn();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = await navigator.credentials.get({ publicKey }).catch((cause) => {
    throw new Error('Passkey sign-in was cancelled or failed. Try again, or use your password.', { cause });
  });
  return (credential as PublicKeyCredential).toJSON() as unknown as Assertion;
}
