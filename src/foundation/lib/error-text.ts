/** What an error says. A failed connection to a host with several addresses has its messages in its parts. */
export function errorText(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message || first.name : String(first);
}
