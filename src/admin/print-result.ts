/** To people in words; to programs as one JSON object on the last line, after whatever npm prints. */
export function printResult({ json }: { json?: true }, forPrograms: object, forPeople: readonly string[]) {
  console.log(json ? JSON.stringify(forPrograms) : forPeople.join('\n'));
}
