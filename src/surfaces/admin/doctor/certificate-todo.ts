/** What Node says of a certificate whose authority it does not know. */
const unknownAuthority = /self[- ]signed certificate|unable to (verify the first|get( local)? issuer) certificate/i;

/** What to do about an error. For a certificate of an unknown authority it is always the same, and not the usual. */
export const todoOf = (message: string, usual: string) =>
  unknownAuthority.test(message)
    ? 'The server answers, but this machine does not know the authority that signed its certificate. If the authority is ' +
      'your own, set NODE_EXTRA_CA_CERTS to the file with its certificate, where Crier is started: in .env it comes too late.'
    : usual;
