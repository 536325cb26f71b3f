/** The one OAuth application that every network here knows, registered for any address. */
export const application = { clientId: 'crier-sandbox', clientSecret: 'crier-sandbox-secret-0123456789' };
