import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Generates a self-signed certificate for these names, so that the repository contains no key. */
export function certificateFor(...names: string[]): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const body = certificateBody(publicKey, names);
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(body, ecdsaWithSha256, tagged(0x03, Buffer.of(0), signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

/** RFC 5280, section 4.1. */
function certificateBody(publicKey: KeyObject, names: string[]): Buffer {
  const who = sequence(tagged(0x31, sequence(oid(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from('Crier test')))));
  const validity = sequence(tagged(0x18, Buffer.from('20200101000000Z')), tagged(0x18, Buffer.from('20991231000000Z')));
  const alternativeNames = sequence(...names.map((name) => tagged(0x82, Buffer.from(name))));
  const extensions = sequence(sequence(oid(0x55, 0x1d, 0x11), tagged(0x04, alternativeNames)));
  return sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    tagged(0x02, Buffer.of(1)),
    ecdsaWithSha256,
    who,
    validity,
    who,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
}

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));

function oid(...bytes: number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes));
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

/** DER: tag, length, value. */
function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const length = value.length < 128 ? [value.length] : [0x82, value.length >> 8, value.length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...length), value]);
}
