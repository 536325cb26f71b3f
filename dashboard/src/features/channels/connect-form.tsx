import type { ConnectablePlatform, Connection } from '@crier/client';
import { CrierError } from '@crier/client';
import { Button, Divider, Group, List, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { channelName } from '../../components/channels/avatar.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { dashboardSettingsQuery } from '../../lib/dashboard-settings.ts';
import { platformName } from '../../lib/platform-name.ts';
import {
  type ConnectField,
  connect,
  connectSandbox,
  fieldsOf,
  type Outcome,
  type ReturnPage,
  stepsOf,
} from './connect.ts';

/** The fields that a network needs before it can be connected. */
export function ConnectForm({
  platform,
  reconnected,
  returnTo,
  onBack,
  onOutcome,
}: {
  platform: ConnectablePlatform;
  /** The channel that should work again. */
  reconnected: Connection | undefined;
  returnTo: ReturnPage;
  onBack: () => void;
  onOutcome: (outcome: Outcome) => void;
}) {
  const fields = fieldsOf(platform);
  const [values, setValues] = useState(() => Object.fromEntries(fields.map(({ name, initial }) => [name, initial])));
  const connecting = useMutation({
    mutationFn: () => connect(platform.platform, values, returnTo, reconnected?.platformId),
    onSuccess: (outcome) => outcome && onOutcome(outcome),
  });
  const isLeaving = connecting.isPending || (connecting.isSuccess && connecting.data === null);
  const name = platformName(platform.platform);
  const steps = stepsOf(platform);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    connecting.mutate();
  };
  const problems = problemsOf(connecting.error);
  const isSandbox = Boolean(useQuery(dashboardSettingsQuery).data?.sandboxUrl);
  const hasShortcut = isSandbox && platform.kind === 'form' && !reconnected;
  return (
    <form onSubmit={submit}>
      <Stack>
        {reconnected && <SameAccount channel={reconnected} kind={platform.kind} />}
        {hasShortcut && <SandboxShortcut platform={platform.platform} onOutcome={onOutcome} />}
        {steps.length > 0 && (
          <List type="ordered" size="sm" spacing={4}>
            {steps.map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        )}
        {connecting.error && Object.keys(problems).length === 0 && <ErrorState error={connecting.error} />}
        {fields.map((field, index) => (
          <Field
            key={field.name}
            field={field}
            isFirst={index === 0 && !hasShortcut}
            value={values[field.name] ?? ''}
            error={problems[field.name]}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        <Group justify="space-between" gap="xs">
          {reconnected ? (
            <Button variant="default" onClick={onBack}>
              Cancel
            </Button>
          ) : (
            <Button variant="subtle" px="sm" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onBack}>
              Back
            </Button>
          )}
          <Button
            type="submit"
            variant={hasShortcut ? 'default' : 'filled'}
            data-autofocus={fields.length === 0 || undefined}
            loading={isLeaving}
          >
            {platform.kind === 'oauth' ? `Continue to ${name}` : `Connect ${name}`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Networks grant access to the account that the browser is signed in to, which may be another one. */
function SameAccount({ channel, kind }: { channel: Connection; kind: ConnectablePlatform['kind'] }) {
  const name = platformName(channel.platform);
  const account = (
    <Text span fw={600} inherit>
      <bdi>{channelName(channel)}</bdi>
    </Text>
  );
  return (
    <Text size="sm">
      {kind === 'oauth' ? (
        <>
          Approve access on {name} as {account}. If you’re signed in to {name} with another account, switch there first.
        </>
      ) : (
        <>Enter the details of {account}.</>
      )}{' '}
      Another account would become a separate channel, and this one would stay as it is.
    </Text>
  );
}

/** Real credentials don't exist for accounts in the sandbox. */
function SandboxShortcut({ platform, onOutcome }: { platform: string; onOutcome: (outcome: Outcome) => void }) {
  const connecting = useMutation({ mutationFn: () => connectSandbox(platform), onSuccess: onOutcome });
  const name = platformName(platform);
  return (
    <>
      {connecting.error && <ErrorState error={connecting.error} />}
      <Text size="sm">
        In the sandbox, {name} is simulated. Real credentials don’t work here, and you don’t need any.
      </Text>
      <Button data-autofocus loading={connecting.isPending} onClick={() => connecting.mutate()}>
        Use a sandbox account
      </Button>
      <Divider label={`or fill in the ${name} form`} />
    </>
  );
}

function Field({
  field: { title, description, isSecret, isRequired },
  isFirst,
  value,
  error,
  onChange,
}: {
  field: ConnectField;
  isFirst: boolean;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const Input = isSecret ? PasswordInput : TextInput;
  return (
    <Input
      label={title}
      description={description}
      required={isRequired}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...(isFirst && { 'data-autofocus': true })}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The API's error messages by field. */
function problemsOf(error: unknown): Record<string, string> {
  if (!(error instanceof CrierError)) return {};
  const { fields } = Object(error.body);
  if (!Array.isArray(fields)) return {};
  return Object.fromEntries(fields.map((one) => [String(Object(one).field), String(Object(one).message)]));
}
