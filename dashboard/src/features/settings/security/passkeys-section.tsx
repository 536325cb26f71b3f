import { Button, Group, Skeleton, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ErrorState } from '../../../components/error-state.tsx';
import { dashboardSettingsQuery } from '../../../lib/dashboard-settings.ts';
import { keys } from '../../../lib/query-keys.ts';
import { passkeyObstacle } from '../../sign-in/passkey.ts';
import { Notice } from '../notice.tsx';
import { Section } from '../section.tsx';
import classes from '../settings.module.css';
import { passkeysQuery } from '../settings-queries.ts';
import { addPasskey, PasskeyNotCreated } from './passkey-creation.ts';
import { PasskeyRow } from './passkey-row.tsx';

export function PasskeysSection() {
  const { data: passkeys, error, refetch } = useQuery(passkeysQuery);
  const { data: settings } = useQuery(dashboardSettingsQuery);
  const obstacle = passkeyObstacle(settings);
  return (
    <Section title="Passkeys" about="Sign in with your fingerprint, face or device lock, without a password or code.">
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!passkeys && !error && <Skeleton h={56} />}
      {passkeys && passkeys.length > 0 && (
        <ul className={classes.rows} aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey._id} passkey={passkey} />
          ))}
        </ul>
      )}
      {passkeys?.length === 0 && !obstacle && <Text size="sm">No passkeys yet.</Text>}
      {obstacle && <Notice title="Passkeys aren’t available here">{obstacle}</Notice>}
      {settings && !obstacle && <AddPasskey />}
    </Section>
  );
}

function AddPasskey() {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const adding = useMutation({
    mutationFn: () => addPasskey(name),
    onSuccess: () => {
      setName('');
      void client.invalidateQueries({ queryKey: keys.passkeys });
      void client.invalidateQueries({ queryKey: keys.auditLog });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate();
  };
  return (
    <form onSubmit={submit}>
      {adding.error && !(adding.error instanceof PasskeyNotCreated) && <ErrorState error={adding.error} />}
      <Group align="flex-end">
        <TextInput
          label="Passkey name"
          placeholder="e.g. My laptop"
          flex="1 1 220px"
          maw={320}
          maxLength={100}
          error={adding.error instanceof PasskeyNotCreated ? adding.error.message : undefined}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" loading={adding.isPending}>
          Add passkey
        </Button>
      </Group>
    </form>
  );
}
