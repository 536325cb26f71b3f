/** The message of an error. For a failed connection to a host with several addresses, the messages are in its parts. */
export function errorText(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message || first.name : String(first);
}
