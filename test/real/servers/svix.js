// Svix's own verifier, for Crier's secrets, which are used as shown, without decoding.
import { Webhook } from 'svix';

/** Throws unless the signature is valid and recent. */
export const verify = (secret, body, headers) => new Webhook(secret, { format: 'raw' }).verify(body, headers);
