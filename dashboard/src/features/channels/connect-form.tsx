import type { ConnectablePlatform } from '@crier/client';
import { CrierError } from '@crier/client';
import { Button, Group, List, PasswordInput, Stack, TextInput } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { platformName } from '../../lib/platform-name.ts';
import { type ConnectField, connect, fieldsOf, type Outcome, type ReturnPage } from './connect.ts';
import { stepsFor } from './connect-steps.ts';

/** What a network has to be told before it can be connected. */
export function ConnectForm({
  platform,
  returnTo,
  onBack,
  onOutcome,
}: {
  platform: ConnectablePlatform;
  returnTo: ReturnPage;
  onBack: () => void;
  onOutcome: (outcome: Outcome) => void;
}) {
  const fields = fieldsOf(platform);
  const [values, setValues] = useState(() => Object.fromEntries(fields.map(({ name, initial }) => [name, initial])));
  const connecting = useMutation({
    mutationFn: () => connect(platform.platform, values, returnTo),
    onSuccess: (outcome) => outcome && onOutcome(outcome),
  });
  const isLeaving = connecting.isPending || (connecting.isSuccess && connecting.data === null);
  const name = platformName(platform.platform);
  const steps = stepsFor(platform.platform);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    connecting.mutate();
  };
  const problems = problemsOf(connecting.error);
  return (
    <form onSubmit={submit}>
      <Stack>
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
            isFirst={index === 0}
            value={values[field.name] ?? ''}
            error={problems[field.name]}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        <Group justify="space-between" gap="xs">
          <Button variant="subtle" px="sm" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onBack}>
            Back
          </Button>
          <Button type="submit" loading={isLeaving}>
            {platform.kind === 'oauth' ? `Continue to ${name}` : `Connect ${name}`}
          </Button>
        </Group>
      </Stack>
    </form>
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
      withAsterisk={false}
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

/** The messages of the API, by field. */
function problemsOf(error: unknown): Record<string, string> {
  if (!(error instanceof CrierError)) return {};
  const { fields } = Object(error.body);
  if (!Array.isArray(fields)) return {};
  return Object.fromEntries(fields.map((one) => [String(Object(one).field), String(Object(one).message)]));
}
