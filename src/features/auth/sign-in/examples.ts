/** Examples for the API reference: sessions, two-factor sign-in and passkeys. A test validates each value. */

const password = 'correct horse battery staple';
const user = { _id: '019a86c0a1b2c3d4e5f60718', email: 'ada@example.com', name: 'Ada', plan: 'pro' };
const signedIn = { accessToken: 'Zk3vQ8nB1xL6wP0rT5yH2mD9cJ4sF7aG', user };

export const listSessions = {
  response: {
    sessions: [
      {
        _id: '019a86c0d4e5f60718293a4b',
        createdAt: '2027-03-01T12:00:00.000Z',
        lastUsedAt: '2027-03-02T08:30:00.000Z',
        device: 'Firefox on Windows',
        address: '203.0.113.7',
        current: true,
      },
    ],
  },
};
export const deleteSession = { response: { message: 'Session ended successfully' } };
export const deleteOtherSessions = { response: { message: 'All other sessions ended successfully', ended: 2 } };

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const recoveryCodes = ['h4xk-2mzq-77ta-pb3e'];

export const getTwoFactor = { response: { enabled: true, recoveryCodesLeft: 9 } };
export const startTwoFactor = {
  request: { password },
  response: { secret, uri: `otpauth://totp/Crier:ada%40example.com?secret=${secret}&issuer=Crier` },
};
export const finishTwoFactor = { request: { code: '492039' }, response: { recoveryCodes } };
export const deleteTwoFactor = {
  request: { password, code: '492039' },
  response: { message: 'Two-factor sign-in is off' },
};
export const regenerateRecoveryCodes = { request: { password, code: '492039' }, response: { recoveryCodes } };
export const signInWithCode = {
  request: { twoFactorToken: 'kF3sX9…', code: '492039' },
  response: signedIn,
};

const passkey = {
  _id: '019a86c0e5f60718293a4b5c',
  name: 'Phone',
  createdAt: '2027-03-01T12:00:00.000Z',
  lastUsedAt: null,
  synced: true,
};
const credential = { id: 'dGhlLWNyZWRl', rawId: 'dGhlLWNyZWRl', type: 'public-key', clientExtensionResults: {} };
const attestation = { ...credential, response: { clientDataJSON: 'eyJ0eXBl…', attestationObject: 'o2NmbXRk…' } };
const assertion = {
  ...credential,
  response: { clientDataJSON: 'eyJ0eXBl…', authenticatorData: 'SZYN5YgO…', signature: 'MEUCIQDx…' },
};

export const listPasskeys = { response: { passkeys: [passkey] } };
export const startPasskey = { response: { options: { challenge: 'q83vEjRW…', rp: { id: 'crier.example.com' } } } };
export const createPasskey = { request: { name: 'Phone', response: attestation }, response: { passkey } };
export const renamePasskey = { request: { name: 'Phone' }, response: { passkey } };
export const deletePasskey = { response: { message: 'Passkey removed successfully' } };
export const startPasskeySignIn = { response: { options: { challenge: 'q83vEjRW…', rpId: 'crier.example.com' } } };
export const signInWithPasskey = { request: { response: assertion }, response: signedIn };
