import { Button, Group, List, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { crier } from '../../lib/api.ts';
import { keys } from '../../lib/query-keys.ts';
import { sendDeletions } from '../posts/deletion/use-deletion.tsx';
import { Section } from '../settings/section.tsx';
import type { Proof } from './download-export.ts';
import { ProofDialog } from './proof-dialog.tsx';

export function DeleteSection() {
  const client = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const request = async (proof: Proof) => {
    // Those that can still be undone would be refused from now on.
    await sendDeletions();
    await crier.deleteAccount(proof);
    // Replaces all pages by the one that tells the date.
    await client.invalidateQueries({ queryKey: keys.session });
  };
  return (
    <Section title="Delete account" about="Deletes your account with everything in it. You have seven days to undo it.">
      <Group>
        <Button variant="light" color="red" onClick={open}>
          Delete account
        </Button>
      </Group>
      {opened && (
        <ProofDialog title="Delete account" action="Delete account" danger onProof={request} onClose={close}>
          <List size="sm" spacing={6}>
            <List.Item>From now on, scheduled posts aren’t sent, and your API keys can only read.</List.Item>
            <List.Item>
              For seven days, you can sign in and choose <b>Keep my account</b>.
            </List.Item>
            <List.Item>
              Then your channels, posts, files, drafts, API keys and webhooks are deleted permanently, and so are your
              brands.
            </List.Item>
            <List.Item>Posts that are already published stay on their networks.</List.Item>
          </List>
          <Text size="sm">We’ll send you an email with the date. You’re signed out on your other devices.</Text>
        </ProofDialog>
      )}
    </Section>
  );
}
