/** What an error says. A failed connection to a host with several addresses has its words in its parts. */
export function errorWords(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message || first.name : String(first);
}
