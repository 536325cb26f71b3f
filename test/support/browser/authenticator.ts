import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/**
 * A software passkey, written from the WebAuthn and CBOR specifications: an ES256 key, attestation `none`, and a
 * counter that grows with every signature. Every part of a response can be falsified.
 */
export class Authenticator {
  readonly credentialId: Buffer;
  readonly origin: string;
  readonly rpId: string;
  counter = 0;
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };

  constructor(origin: string, { credentialId = randomBytes(32) }: { credentialId?: Buffer } = {}) {
    this.origin = origin;
    this.rpId = new URL(origin).hostname;
    this.credentialId = credentialId;
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /** The result of `navigator.credentials.create`. */
  create({ challenge }: { challenge: string }, wrong: Falsified = {}) {
    const clientData = this.#clientData('webauthn.create', challenge, wrong);
    const credential = Buffer.concat([
      Buffer.alloc(16),
      uint16(this.credentialId.length),
      this.credentialId,
      this.#publicKey(),
    ]);
    const attestationObject = map([
      [text('fmt'), text('none')],
      [text('attStmt'), map([])],
      [text('authData'), bytes(Buffer.concat([this.#authData(wrong, 0x40), credential]))],
    ]);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The result of `navigator.credentials.get`. */
  get({ challenge }: { challenge: string }, wrong: Falsified = {}) {
    const clientData = this.#clientData('webauthn.get', challenge, wrong);
    this.counter += 1;
    const authData = this.#authData(wrong, 0);
    const hash = createHash('sha256').update(clientData).digest();
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, hash]))
      .sign(this.#keys.privateKey);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  #answer<R extends object>(response: R) {
    const id = this.credentialId.toString('base64url');
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string, { origin = this.origin }: Falsified): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authData({ userVerified = true, counter = this.counter, rpId = this.rpId }: Falsified, extraFlags: number): Buffer {
    const userPresent = 0x01;
    const flags = userPresent | (userVerified ? 0x04 : 0) | extraFlags;
    const signCount = Buffer.alloc(4);
    signCount.writeUInt32BE(counter);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), signCount]);
  }

  /** As COSE: key type EC2, algorithm ES256, curve P-256, x and y. */
  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    return map([
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), bytes(Buffer.from(x, 'base64url'))],
      [integer(-3), bytes(Buffer.from(y, 'base64url'))],
    ]);
  }
}

interface Falsified {
  origin?: string;
  rpId?: string;
  counter?: number;
  userVerified?: boolean;
}

/** CBOR: the first byte has the type in three bits and the length, or the length follows. */
function head(type: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(type << 5) | length]);
  if (length < 256) return Buffer.from([(type << 5) | 24, length]);
  return Buffer.concat([Buffer.from([(type << 5) | 25]), uint16(length)]);
}
const integer = (value: number) => (value >= 0 ? head(0, value) : head(1, -1 - value));
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()]);

function uint16(value: number): Buffer {
  const two = Buffer.alloc(2);
  two.writeUInt16BE(value);
  return two;
}
