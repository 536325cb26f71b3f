import { CrierError } from '@crier/client';
import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { crier } from '../../lib/api.ts';
import { Refusal, wordsOf } from './refusal.tsx';

/** Creates an account. Where addresses are verified, the person continues with the link in a mail. */
export function SignUpForm({ invitation, onSignedIn }: { invitation?: string | undefined; onSignedIn: () => void }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const passwordInput = useRef<HTMLInputElement>(null);
  const creating = useMutation({
    mutationFn: () => crier.signUp({ name, email, password, ...(invitation && { token: invitation }) }),
    onSuccess: (answer) => {
      if ('accessToken' in answer) onSignedIn();
    },
    onError: (error) => {
      if (!isWeakPassword(error)) return;
      passwordInput.current?.focus();
      passwordInput.current?.select();
    },
  });
  if (creating.data && !('accessToken' in creating.data)) {
    return (
      <Alert color="green" role="status" title="Look into your mail">
        <Text size="sm">We have sent a link to {email}. Open it to finish, and then sign in.</Text>
      </Alert>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {creating.error && !isWeakPassword(creating.error) && <Refusal error={creating.error} />}
        <TextInput
          label="Name"
          autoComplete="name"
          autoFocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          ref={passwordInput}
          label="Password"
          description="At least eight characters that nobody would guess."
          autoComplete="new-password"
          required
          error={isWeakPassword(creating.error) && sentenceOf(creating.error)}
          errorProps={{ role: 'alert' }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={creating.isPending} fullWidth>
          Create account
        </Button>
      </Stack>
    </form>
  );
}

/** It is said at the field that it is about. */
const isWeakPassword = (error: Error | null): error is CrierError =>
  error instanceof CrierError && error.code === 'WEAK_PASSWORD';

function sentenceOf(error: Error): string {
  const { what, why } = wordsOf(error);
  return why ? `${what}. ${why}` : what;
}
