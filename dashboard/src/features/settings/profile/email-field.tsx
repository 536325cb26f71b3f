import { Button, Modal, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { CodeField } from '../security/code-field.tsx';
import { PasswordDialog } from '../security/password-dialog.tsx';
import { twoFactorQuery } from '../settings-queries.ts';

/** The sign-in address. A new one has to be confirmed by email first. */
export function EmailField({ email }: { email: string }) {
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <TextInput
        label="Email"
        type="email"
        readOnly
        value={email}
        rightSectionWidth={88}
        rightSection={
          <Button size="compact-sm" variant="light" aria-label="Change email" onClick={() => setChanging(true)}>
            Change
          </Button>
        }
      />
      {isChanging && <EmailDialog onClose={() => setChanging(false)} />}
    </>
  );
}

function EmailDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const { data: twoFactor } = useQuery(twoFactorQuery);
  const [newEmail, setNewEmail] = useState('');
  const [code, setCode] = useState('');
  const [isSent, setSent] = useState(false);
  const askForMail = async (password: string) => {
    await crier.changeEmail({ newEmail, password, ...(twoFactor?.enabled && { code }) });
    setSent(true);
    await client.invalidateQueries({ queryKey: keys.auditLog });
  };
  if (isSent) {
    return (
      <Modal opened title="Check your inbox" onClose={onClose}>
        <Text size="sm" role="status">
          If no other account uses {newEmail}, we’ve sent a link to it. Your address changes when you open the link.
          Until then, keep signing in with your current address.
        </Text>
      </Modal>
    );
  }
  return (
    <PasswordDialog title="Change email address" action="Send link" onPassword={askForMail} onClose={onClose}>
      <TextInput
        label="New address"
        description="We’ll send a link to verify it."
        type="email"
        autoComplete="email"
        data-autofocus
        required
        value={newEmail}
        onChange={(event) => setNewEmail(event.currentTarget.value)}
      />
      {twoFactor?.enabled && <CodeField code={code} onCode={setCode} />}
    </PasswordDialog>
  );
}
