import { crier } from '../../lib/api.ts';

/** Browsers offer passkeys only on a domain name, over https or on this machine. */
export const canUsePasskeys = () =>
  typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function' &&
  !/^(\d+\.){3}\d+$|^\[/.test(window.location.hostname);

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
