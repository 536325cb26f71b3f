/** A quoted text, a quoted name, a comment or a dollar-quoted body: a semicolon inside does not end a statement. */
const token =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(?<tag>\w*)\$[\s\S]*?\$\k<tag>\$|;|[^'"$;/-]+|[\s\S]/g;

/** The statements of an SQL text, each with the comments above it and without its semicolon. */
export function sqlStatements(text: string): string[] {
  const statements = [''];
  for (const [part] of text.matchAll(token)) {
    if (part === ';') statements.push('');
    else statements[statements.length - 1] += part;
  }
  return statements.map((statement) => statement.trim()).filter((statement) => withoutComments(statement) !== '');
}

/** The statement without comments, on one line. */
export function withoutComments(statement: string): string {
  const parts = [...statement.matchAll(token)].map(([part]) => (/^(--|\/\*)/.test(part) ? ' ' : part));
  return parts.join('').replaceAll(/\s+/g, ' ').trim();
}
