import { Button, Divider, Group, Modal, PasswordInput, Skeleton, Stack, Text } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { dashboardSettingsQuery } from '../../lib/dashboard-settings.ts';
import { CodeField } from '../settings/security/code-field.tsx';
import { passkeysQuery, twoFactorQuery } from '../settings/settings-queries.ts';
import { askForPasskey, passkeyObstacle } from '../sign-in/passkey.ts';
import type { Proof } from './download-export.ts';

/** Asks for what a sign-in needs before something that a stolen session must not do. */
export function ProofDialog({
  title,
  action,
  danger = false,
  onProof,
  onClose,
  children,
}: {
  title: string;
  /** The button's label. */
  action: string;
  danger?: boolean;
  onProof: (proof: Proof) => Promise<unknown>;
  onClose: () => void;
  /** What happens then. */
  children: ReactNode;
}) {
  const twoFactor = useQuery(twoFactorQuery);
  const { data: settings } = useQuery(dashboardSettingsQuery);
  const { data: passkeys } = useQuery(passkeysQuery);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const proving = useMutation({ mutationFn: onProof });
  const byPasskey = useMutation({ mutationFn: async () => onProof({ passkey: await askForPasskey() }) });
  const error = proving.error ?? byPasskey.error ?? (twoFactor.data ? null : twoFactor.error);
  const isPending = proving.isPending || byPasskey.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    byPasskey.reset();
    proving.mutate({ password, ...(code && { code }) });
  };
  const mayUsePasskey = settings && !passkeyObstacle(settings) && (passkeys?.length ?? 0) > 0;
  return (
    <Modal opened title={title} onClose={onClose} closeOnClickOutside={!isPending}>
      <form onSubmit={submit}>
        <Stack>
          {children}
          {error && <ErrorState error={error} />}
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            data-autofocus
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {twoFactor.isPending && <Skeleton h={60} />}
          {twoFactor.data?.enabled && <CodeField code={code} onCode={setCode} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color={danger ? 'red.9' : undefined} loading={proving.isPending} disabled={isPending}>
              {action}
            </Button>
          </Group>
          {mayUsePasskey && (
            <>
              <Divider label={<Text size="xs">or</Text>} />
              <Button
                variant="default"
                leftSection={<IconFingerprint size={18} aria-hidden />}
                loading={byPasskey.isPending}
                disabled={isPending}
                onClick={() => {
                  proving.reset();
                  byPasskey.mutate();
                }}
              >
                Confirm with a passkey
              </Button>
            </>
          )}
        </Stack>
      </form>
    </Modal>
  );
}
