/** Examples for the API reference. A test validates each value against the schema of its route. */

export const listAuditLog = {
  response: {
    entries: [
      {
        id: '019a86c0d4e5f60718293a4b',
        at: '2027-03-01T12:00:00.000Z',
        event: 'api_key_created',
        text: 'An API key was created',
        actor: { kind: 'user', name: 'Ada' },
        address: '203.0.113.7',
        details: { keyId: '019a86c0b2c3d4e5f6071829', name: 'Website', keyPrefix: 'sk_mf3k2a9x_1a2b3c4d' },
      },
    ],
    nextBefore: null,
  },
};
