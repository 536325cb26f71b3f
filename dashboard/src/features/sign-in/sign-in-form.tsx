import type { DashboardSettings } from '@crier/client';
import { Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { crier } from '../../lib/api.ts';
import { CodeForm } from './code-form.tsx';
import { passkeyObstacle, signInWithPasskey } from './passkey.ts';
import { Refusal } from './refusal.tsx';

/** Asks for the password, and for a code with two-factor authentication. */
export function SignInForm({
  settings,
  email: knownEmail = '',
  onSignedIn,
}: {
  settings: DashboardSettings | undefined;
  /** The user's address, if known. */
  email?: string;
  onSignedIn: () => void;
}) {
  const [email, setEmail] = useState(knownEmail);
  const [password, setPassword] = useState('');
  const [challenge, setChallenge] = useState<string | null>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const byPassword = useMutation({
    mutationFn: () => crier.signIn({ email, password }),
    onSuccess: (answer) => ('twoFactorToken' in answer ? setChallenge(String(answer.twoFactorToken)) : onSignedIn()),
    // Select the password for retyping.
    onError() {
      passwordInput.current?.focus();
      passwordInput.current?.select();
    },
  });
  const byPasskey = useMutation({ mutationFn: signInWithPasskey, onSuccess: onSignedIn });
  if (challenge) return <CodeForm challenge={challenge} onSignedIn={onSignedIn} onCancel={() => setChallenge(null)} />;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    byPassword.mutate();
  };
  const error = byPassword.error ?? byPasskey.error;
  const obstacle = passkeyObstacle(settings);
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {error && <Refusal error={error} />}
        <TextInput
          label="Email"
          type="email"
          autoComplete="username webauthn"
          autoFocus={!knownEmail}
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          ref={passwordInput}
          label="Password"
          autoComplete="current-password"
          data-autofocus={knownEmail ? true : undefined}
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {settings?.passwordResetByMail === false ? (
          <Text size="sm" c="dimmed">
            Forgot your password? Ask the operator for a reset link.
          </Text>
        ) : (
          <Anchor href="/forgot-password" size="sm">
            Forgot your password?
          </Anchor>
        )}
        <Button type="submit" loading={byPassword.isPending} fullWidth>
          Sign in
        </Button>
        {obstacle ? (
          <Text size="xs" c="dimmed">
            {obstacle}
          </Text>
        ) : (
          <>
            <Divider label="or" />
            <Button
              variant="default"
              leftSection={<IconFingerprint size={18} aria-hidden />}
              loading={byPasskey.isPending}
              onClick={() => byPasskey.mutate()}
              fullWidth
            >
              Sign in with a passkey
            </Button>
          </>
        )}
      </Stack>
    </form>
  );
}
