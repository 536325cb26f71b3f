import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { crier } from '../../lib/api.ts';
import { Refusal } from './refusal.tsx';

/** Creates an account. Where addresses are verified, the person continues with the link in a mail. */
export function SignUpForm({ invitation, onSignedIn }: { invitation?: string | undefined; onSignedIn: () => void }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const creating = useMutation({
    mutationFn: () => crier.signUp({ name, email, password, ...(invitation && { token: invitation }) }),
    onSuccess: (answer) => {
      if ('accessToken' in answer) onSignedIn();
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
        {creating.error && <Refusal error={creating.error} />}
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
          label="Password"
          description="At least eight characters that nobody would guess."
          autoComplete="new-password"
          required
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
