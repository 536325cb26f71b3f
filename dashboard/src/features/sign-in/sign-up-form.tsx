import { CrierError } from '@crier/client';
import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { crier } from '../../lib/api.ts';
import { describeRefusal, Refusal } from './refusal.tsx';

/** Creates an account. Where addresses are verified, the person continues with the link in a mail, and chooses the password there. */
export function SignUpForm({
  invitation,
  verifiesEmail,
  onSignedIn,
}: {
  invitation?: string | undefined;
  verifiesEmail: boolean;
  onSignedIn: () => void;
}) {
  const asksPassword = !verifiesEmail || invitation !== undefined;
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<Wrong>({});
  const [emailInput, passwordInput] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const show = (found: Wrong) => {
    setWrong(found);
    const input = (found.email ? emailInput : found.password ? passwordInput : null)?.current;
    input?.focus();
    input?.select();
  };
  const creating = useMutation({
    mutationFn: () =>
      crier.signUp({ name, email, ...(asksPassword && { password }), ...(invitation && { token: invitation }) }),
    onSuccess: (answer) => {
      if ('accessToken' in answer) onSignedIn();
    },
    onError: (error) => show(wrongBy(error)),
  });
  if (creating.data && !('accessToken' in creating.data)) {
    return (
      <Alert color="green" role="status" title="Look into your mail">
        <Text size="sm">We have sent a link to {email}. Open it to choose your password, and then sign in.</Text>
      </Alert>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = wrongIn(email, asksPassword ? password : null);
    show(found);
    if (!found.email && !found.password) creating.mutate();
  };
  const isSaidAtField = wrong.email !== undefined || wrong.password !== undefined;
  return (
    // Everything that is wrong is shown together, each at its field, which the browser's own check does not do.
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {creating.error && !isSaidAtField && <Refusal error={creating.error} />}
        <TextInput
          label="Name"
          autoComplete="name"
          autoFocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          ref={emailInput}
          label="Email"
          type="email"
          autoComplete="username"
          required
          error={wrong.email}
          errorProps={{ role: 'alert' }}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        {asksPassword ? (
          <PasswordInput
            ref={passwordInput}
            label="Password"
            description="At least eight characters that no one would guess."
            autoComplete="new-password"
            required
            error={wrong.password}
            errorProps={{ role: 'alert' }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        ) : (
          <Text size="sm">We will mail you a link. You choose your password when you open it.</Text>
        )}
        <Button type="submit" loading={creating.isPending} fullWidth>
          Create account
        </Button>
      </Stack>
    </form>
  );
}

interface Wrong {
  email?: string;
  password?: string;
}

const leastCharacters = 8;

/** What can be seen before anything is sent. The service has the last word. Without a password there is nothing to see of it. */
function wrongIn(email: string, password: string | null): Wrong {
  return {
    ...(!/^\S+@\S+\.\S+$/.test(email.trim()) && { email: 'Write an e-mail address, such as ada@example.com.' }),
    ...(password !== null && password.length < leastCharacters && { password: 'Write at least eight characters.' }),
  };
}

function wrongBy(error: Error): Wrong {
  const code = error instanceof CrierError ? error.code : '';
  if (code === 'INVALID_EMAIL') return { email: sentenceOf(error) };
  if (code === 'WEAK_PASSWORD' || code === 'INVALID_PASSWORD') return { password: sentenceOf(error) };
  return {};
}

function sentenceOf(error: Error): string {
  const { what, why } = describeRefusal(error);
  return why ? `${what}. ${why}` : what;
}
