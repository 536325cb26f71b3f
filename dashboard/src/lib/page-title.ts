/** A route's `head` with the page title. */
export const pageTitle = (name: string) => () => ({ meta: [{ title: `${name} · Crier` }] });
