// Svix's own verifier, for the secrets of Crier, which are used as they are shown.
import { Webhook } from 'svix';

/** Throws unless the signature is right and recent. */
export const verify = (secret, body, headers) => new Webhook(secret, { format: 'raw' }).verify(body, headers);
