import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { crier } from '../../lib/api.ts';
import { Refusal } from './refusal.tsx';

/** The second step: a code from the app or a recovery code. */
export function CodeForm({
  challenge,
  onSignedIn,
  onCancel,
}: {
  challenge: string;
  onSignedIn: () => void;
  onCancel: () => void;
}) {
  const [code, setCode] = useState('');
  const entering = useMutation({
    mutationFn: () => crier.signInWithCode({ twoFactorToken: challenge, code: code.trim() }),
    onSuccess: onSignedIn,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    entering.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Enter the six-digit code from your authenticator app, or a recovery code.
        </Text>
        {entering.error && <Refusal error={entering.error} />}
        <TextInput
          label="Code"
          autoComplete="one-time-code"
          autoFocus
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={entering.isPending} fullWidth>
          Sign in
        </Button>
        <Button variant="subtle" onClick={onCancel} fullWidth>
          Back
        </Button>
      </Stack>
    </form>
  );
}
