/** Prints text for people or, with --json, one JSON object for programs. npm may print lines before it. */
export function printResult({ json }: { json?: true }, forPrograms: object, forPeople: readonly string[]) {
  console.log(json ? JSON.stringify(forPrograms) : printable(forPeople.join('\n')));
}

/** Texts come from networks and users, and must not control the operator's terminal. */
export const printable = (text: string) => text.replace(/(?!\n)\p{Cc}|\p{Cf}/gu, '');

/** `1 post`, `2 posts`. */
export const counted = (number: number, thing: string) =>
  `${number.toLocaleString('en-US')} ${thing}${number === 1 ? '' : 's'}`;
