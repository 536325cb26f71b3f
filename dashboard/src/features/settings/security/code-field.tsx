import { TextInput } from '@mantine/core';

/** For actions that require a code with two-factor authentication. */
export function CodeField({ code, onCode }: { code: string; onCode: (code: string) => void }) {
  return (
    <TextInput
      label="Code"
      description="The six-digit code from your app, or a recovery code."
      autoComplete="one-time-code"
      data-autofocus
      required
      value={code}
      onChange={(event) => onCode(event.currentTarget.value)}
    />
  );
}
