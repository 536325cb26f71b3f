/** The `head` of a route: the title of the page as the browser shows it. */
export const pageTitle = (name: string) => () => ({ meta: [{ title: `${name} · Crier` }] });
