import type { Profile } from '@crier/client';
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { crier } from '../../../lib/api.ts';
import { profileQuery } from '../../../lib/queries.ts';
import { Section } from '../section.tsx';

/** Shown only to people who are in the workspace of another user. */
export function WorkspaceSection() {
  const { data: profile } = useQuery(profileQuery);
  const [opened, { open, close }] = useDisclosure();
  if (!profile?.workspaceOwner) return null;
  const { name, email } = profile.workspaceOwner;
  return (
    <Section
      title="Workspace"
      about={`You are in the workspace of ${name} (${email}), who can post for you, connect channels and make API keys.`}
    >
      <Group>
        <Button variant="default" onClick={open}>
          Leave workspace
        </Button>
      </Group>
      <LeaveDialog owner={profile.workspaceOwner} opened={opened} onClose={close} />
    </Section>
  );
}

interface LeaveDialogProps {
  owner: NonNullable<Profile['workspaceOwner']>;
  opened: boolean;
  onClose: () => void;
}

/** Says what ends with it. */
function LeaveDialog({ owner, opened, onClose }: LeaveDialogProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const leaving = useMutation({
    mutationFn: () => crier.leaveWorkspace(),
    onSuccess: async () => {
      client.clear();
      await navigate({ to: '/signin' });
    },
  });
  return (
    <ConfirmDialog
      title={`Leave the workspace of ${owner.name}?`}
      confirm="Leave workspace"
      cancel="Stay"
      opened={opened}
      action={leaving}
      onClose={onClose}
    >
      <Text size="sm">
        Your account with its channels and posts stays, on the default plan. API keys and webhooks from your time in the
        workspace and its connection link stop working. You are signed out everywhere and sign in again.
      </Text>
    </ConfirmDialog>
  );
}
