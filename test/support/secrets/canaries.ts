/** An output of the service, and the kinds of secrets it may contain. */
export interface Output {
  where: string;
  text: string;
  mayHold?: readonly string[];
}

/** Known secrets, and all outputs to search for them. */
export class Canaries {
  readonly #values = new Map<string, Set<string>>();
  readonly #outputs: Output[] = [];

  /** Records a secret where it is created or received, and returns it. */
  add(kind: string, value: string): string {
    if (value.length < 8) throw new Error(`The ${kind} is too short to be looked for: it would be found by chance.`);
    this.#values.set(kind, (this.#values.get(kind) ?? new Set()).add(value));
    return value;
  }

  record(output: Output) {
    this.#outputs.push(output);
  }

  kinds(): string[] {
    return [...this.#values.keys()].sort();
  }

  /** Secrets are added during a run, so everything is searched at its end. */
  leaks(): string[] {
    const found = this.#outputs.flatMap(({ where, text, mayHold = [] }) =>
      [...this.#values]
        .filter(([kind]) => !mayHold.includes(kind))
        .flatMap(([kind, values]) =>
          [...values].flatMap((value) =>
            formsOf(value)
              .filter((form) => text.includes(form))
              .map((form) => `${kind} in ${where}: …${around(text, form)}…`),
          ),
        ),
    );
    return [...new Set(found)];
  }
}

/** In plain text, URL-encoded, in base64, and in hex as PostgreSQL shows bytes. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const forms = [
    value,
    encodeURIComponent(value),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
  return [...new Set(forms.map((form) => form.replace(/=+$/, '')))];
}

const around = (text: string, form: string) => {
  const at = text.indexOf(form);
  return text.slice(Math.max(0, at - 60), at + 12);
};
