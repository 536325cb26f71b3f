const domain = 'managed.invalid';

/** The service identifies managed users by an address, which need not be real. Nobody can receive mail at this one. */
export const placeholderEmail = () => `brand-${crypto.randomUUID()}@${domain}`;

export const isPlaceholder = (email: string) => email.endsWith(`@${domain}`);
