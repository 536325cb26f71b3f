import { TextInput } from '@mantine/core';

/** For what a person with two-factor sign-in confirms with a code. */
export function CodeField({ code, onCode }: { code: string; onCode: (code: string) => void }) {
  return (
    <TextInput
      label="Code"
      description="The six digits that the app shows now, or a recovery code."
      autoComplete="one-time-code"
      data-autofocus
      required
      value={code}
      onChange={(event) => onCode(event.currentTarget.value)}
    />
  );
}
