import { CrierError } from '@crier/client';
import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { crier } from '../../lib/api.ts';
import { describeRefusal, Refusal } from './refusal.tsx';

/** Creates an account. If addresses are verified, the user continues with an emailed link and chooses the password there. */
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
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({});
  const [emailInput, passwordInput] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const show = (found: FieldErrors) => {
    setFieldErrors(found);
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
    onError: (error) => show(fieldErrorsIn(error)),
  });
  if (creating.data && !('accessToken' in creating.data)) {
    return (
      <Alert color="green" role="status" title="Check your inbox">
        <Text size="sm">We’ve sent a link to {email}. Open it to choose your password, then sign in.</Text>
      </Alert>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = validate(email, asksPassword ? password : null);
    show(found);
    if (!found.email && !found.password) creating.mutate();
  };
  const isShownAtField = fieldErrors.email !== undefined || fieldErrors.password !== undefined;
  return (
    // Shows all errors together, each at its field. The browser's validation only shows one.
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {creating.error && !isShownAtField && <Refusal error={creating.error} />}
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
          error={fieldErrors.email}
          errorProps={{ role: 'alert' }}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        {asksPassword ? (
          <PasswordInput
            ref={passwordInput}
            label="Password"
            description="At least eight characters, hard to guess."
            autoComplete="new-password"
            required
            error={fieldErrors.password}
            errorProps={{ role: 'alert' }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        ) : (
          <Text size="sm">We’ll email you a link to choose your password.</Text>
        )}
        <Button type="submit" loading={creating.isPending} fullWidth>
          Create account
        </Button>
      </Stack>
    </form>
  );
}

interface FieldErrors {
  email?: string;
  password?: string;
}

const minPasswordLength = 8;

/** Validation before sending. The service decides. A null password isn't checked. */
function validate(email: string, password: string | null): FieldErrors {
  return {
    ...(!/^\S+@\S+\.\S+$/.test(email.trim()) && { email: 'Enter an email address, such as ada@example.com.' }),
    ...(password !== null && password.length < minPasswordLength && { password: 'Use at least eight characters.' }),
  };
}

function fieldErrorsIn(error: Error): FieldErrors {
  const code = error instanceof CrierError ? error.code : '';
  if (code === 'INVALID_EMAIL') return { email: messageOf(error) };
  if (code === 'WEAK_PASSWORD' || code === 'INVALID_PASSWORD') return { password: messageOf(error) };
  return {};
}

function messageOf(error: Error): string {
  const { what, why } = describeRefusal(error);
  return why ? `${what}. ${why}` : what;
}
