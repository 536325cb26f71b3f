/** Anyone can run a server, and what it says ends up in links: any other scheme could run a script (`javascript:`). */
export const isWebAddress = (address: string): boolean => /^https?:$/.test(URL.parse(address)?.protocol ?? '');
