import type { Scope } from '@crier/client';
import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import { isScope, scopes } from './scopes.ts';

export interface KeyValues {
  name: string;
  scopes: readonly Scope[];
  /** As typed. */
  addresses: string;
}

export const isComplete = ({ name, scopes: chosen }: KeyValues) => name.trim() !== '' && chosen.length > 0;

/** What can be chosen for a new key and changed later. */
export function KeyFields({ values, onChange }: { values: KeyValues; onChange: (values: KeyValues) => void }) {
  return (
    <>
      <TextInput
        label="Name"
        description="Where you use this key, so you know which one to revoke."
        placeholder="Blog server"
        required
        maxLength={100}
        dir="auto"
        value={values.name}
        onChange={(event) => onChange({ ...values, name: event.currentTarget.value })}
        data-autofocus
      />
      <Checkbox.Group
        label="Scopes"
        description="What this key can do."
        value={[...values.scopes]}
        onChange={(chosen) => onChange({ ...values, scopes: chosen.filter(isScope) })}
      >
        <Stack gap="xs" mt="xs">
          {scopes.map(({ value, label, about }) => (
            <Checkbox key={value} value={value} label={label} description={about} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Textarea
        label="Allowed IP addresses"
        description="Addresses and CIDR ranges that can use this key. Leave empty to allow any."
        placeholder="203.0.113.7, 2001:db8::/32"
        autosize
        minRows={1}
        maxRows={6}
        value={values.addresses}
        onChange={(event) => onChange({ ...values, addresses: event.currentTarget.value })}
      />
    </>
  );
}
