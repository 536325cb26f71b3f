/** The parameters in a path, by the template `/videos/{id}`. Null if the path does not match. */
export function matchPath(template: string, path: string): Record<string, string> | null {
  const [wanted, given] = [template.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    const value = given[index] ?? '';
    if (name === undefined ? part !== value : value === '') return null;
    if (name !== undefined) parameters[name] = value;
  }
  return parameters;
}
