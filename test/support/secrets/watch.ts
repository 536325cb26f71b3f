/**
 * Searches all output of the service for secrets while tests run. A secret may become known after it was output, so the
 * words of all outputs are kept until the end of the test file.
 */
export class SecretWatch {
  readonly #secrets = new Map<string, string>();
  readonly #passwords = new Set<string>();
  readonly #seen = new Map<string, Seen>();
  readonly #found = new Set<string>();
  #isStopped = false;

  /** Ignores values too short to distinguish from ordinary words. */
  secret(kind: string, value: string) {
    if (kind === 'password') return this.#addPassword(value);
    for (const word of wordsIn(value)) this.#secrets.set(word, kind);
  }

  /** Passwords can be several words, so later outputs are searched for them verbatim. */
  #addPassword(value: string) {
    if (value.length >= 8) this.#passwords.add(value);
  }

  /** `mayHold`: the kinds of secrets that this output may contain. */
  output(where: string, text: string, mayHold: readonly string[] = []) {
    if (this.#isStopped) return;
    for (const [kind, pattern] of Object.entries(patterns)) {
      for (const [, value = ''] of text.matchAll(pattern)) {
        this.secret(kind, value);
        if (!mayHold.includes(kind)) this.#found.add(`${kind} in ${where}`);
      }
    }
    for (const password of this.#passwords) if (text.includes(password)) this.#found.add(`password in ${where}`);
    for (const word of wordsIn(text)) this.#remember(word, { where, mayHold });
  }

  /** If several outputs contain a word, the strictest one decides. */
  #remember(word: string, now: Seen) {
    const before = this.#seen.get(word);
    if (!before) this.#seen.set(word, now);
    else if (before.mayHold.length > 0 && before.mayHold.some((kind) => !now.mayHold.includes(kind))) {
      this.#seen.set(word, { where: now.where, mayHold: before.mayHold.filter((kind) => now.mayHold.includes(kind)) });
    }
  }

  leaks(): string[] {
    for (const [word, kind] of this.#secrets) {
      const seen = this.#seen.get(word);
      if (seen && !seen.mayHold.includes(kind)) this.#found.add(`${kind} in ${seen.where}`);
    }
    return [...this.#found].sort();
  }

  /** For tests that measure time or memory of this process. */
  stop() {
    this.#isStopped = true;
  }

  forget() {
    this.#isStopped = false;
    for (const part of [this.#secrets, this.#passwords, this.#seen, this.#found]) part.clear();
  }
}

interface Seen {
  where: string;
  mayHold: readonly string[];
}

/** Secrets recognized by their form, or by the field or cookie that contains them. */
const patterns: Record<string, RegExp> = {
  // The part before the dot identifies the key and is not secret.
  'API key': /sk_\w+\.([0-9a-f]{52})/g,
  'attach token': /"(at_[\w-]{43})"/g,
  'session token': /(?:"accessToken":"|crier\.session_token=)([\w-]{16,})/g,
  'device token': /crier\.device=([\w-]{16,})/g,
  'two-factor token': /"twoFactorToken":"([\w-]{16,})"/g,
  'recovery code': /"((?:[a-z2-7]{4}-){3}[a-z2-7]{4})"/g,
  'webhook secret': /"secret":"([0-9a-f]{64})"/g,
  'TOTP secret': /"secret":"([A-Z2-7]{32})"/g,
  'link token': /[?&]token=([\w-]{43})/g,
};

/** Longer words are texts; no secret is that long. */
const wordsIn = (text: string) => text.match(/[\w-]{16,1000}/g) ?? [];

/** The watch of this test file. */
export const secretWatch = new SecretWatch();
