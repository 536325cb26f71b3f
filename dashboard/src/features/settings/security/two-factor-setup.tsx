import { Anchor, Box, Button, CopyButton, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { ErrorState } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';
import classes from '../settings.module.css';

const QrCode = lazy(() => import('./qr-code.tsx'));

/** Shows the setup key, also as a QR code, and verifies the first code from the app. */
export function TwoFactorSetup({
  secret,
  uri,
  onCodes,
}: {
  secret: string;
  uri: string;
  onCodes: (recoveryCodes: readonly string[]) => void;
}) {
  const [code, setCode] = useState('');
  const confirming = useMutation({
    mutationFn: () => crier.finishTwoFactor({ code: code.replaceAll(/\s/g, '') }),
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirming.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          Scan this code with your authenticator app, or enter the setup key. If the app is on this device, you can{' '}
          <Anchor href={uri} inherit>
            open it directly
          </Anchor>
          .
        </Text>
        <Box mx="auto" w={qrSize} maw="100%">
          <Suspense fallback={<Skeleton h={qrSize} />}>
            <QrCode text={uri} label="QR code for your authenticator app" />
          </Suspense>
        </Box>
        <Group justify="space-between" wrap="nowrap">
          <code className={classes.secret} data-testid="setup-key">
            {grouped(secret)}
          </code>
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button variant="default" size="xs" flex="none" onClick={copy}>
                {copied ? 'Copied' : 'Copy key'}
              </Button>
            )}
          </CopyButton>
        </Group>
        {confirming.error && <ErrorState error={confirming.error} />}
        <TextInput
          label="Code"
          description="The six-digit code from your app."
          autoComplete="one-time-code"
          inputMode="numeric"
          data-autofocus
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={confirming.isPending}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The frame stays the same size while the code loads. */
const qrSize = 200;

/** `JBSW Y3DP EHPK 3PXP`: groups of four are easier to type. */
const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? '';
