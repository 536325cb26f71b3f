import type { CreatePasskeyInput } from '@crier/client';
import { crier } from '../../../lib/api.ts';

/** Lets the device make a key, and stores its public half under this name. */
export async function addPasskey(name: string): Promise<void> {
  const { options } = await crier.startPasskey();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = await navigator.credentials.create({ publicKey }).catch((cause: unknown) => {
    throw new PasskeyNotMade(cause);
  });
  const response = (credential as PublicKeyCredential).toJSON() as unknown as CreatePasskeyInput['response'];
  await crier.createPasskey({ response, ...(name.trim() && { name: name.trim() }) });
}

/** The person cancelled, or the device has no way to make a key. */
export class PasskeyNotMade extends Error {
  constructor(cause: unknown) {
    const isKnown = cause instanceof DOMException && cause.name === 'InvalidStateError';
    super(isKnown ? 'This device has a passkey for your account already.' : 'No passkey was made. Try again.', {
      cause,
    });
  }
}
