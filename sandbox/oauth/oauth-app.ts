/** The OAuth app that every platform accepts, registered for any redirect address. */
export const oauthApp = { clientId: 'crier-sandbox', clientSecret: 'crier-sandbox-secret-0123456789' };
