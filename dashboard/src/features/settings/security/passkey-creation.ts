import type { CreatePasskeyInput } from '@crier/client';
import { crier } from '../../../lib/api.ts';

/** Creates a passkey on the device and stores its public key under this name. */
export async function addPasskey(name: string): Promise<void> {
  const { options } = await crier.startPasskey();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = await navigator.credentials.create({ publicKey }).catch((cause: unknown) => {
    throw new PasskeyNotCreated(cause);
  });
  const response = (credential as PublicKeyCredential).toJSON() as unknown as CreatePasskeyInput['response'];
  await crier.createPasskey({ response, ...(name.trim() && { name: name.trim() }) });
}

/** The user cancelled, or the device can't create a passkey. */
export class PasskeyNotCreated extends Error {
  constructor(cause: unknown) {
    const isKnown = cause instanceof DOMException && cause.name === 'InvalidStateError';
    super(isKnown ? 'This device already has a passkey for your account.' : 'Couldn’t create a passkey. Try again.', {
      cause,
    });
  }
}
