import type { Profile } from '@crier/client';
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { crier } from '../../../lib/api.ts';
import { profileQuery } from '../../../lib/queries.ts';
import { Section } from '../section.tsx';

/** Shown only to users in another user's workspace. */
export function WorkspaceSection() {
  const { data: profile } = useQuery(profileQuery);
  const [opened, { open, close }] = useDisclosure();
  if (!profile?.workspaceOwner) return null;
  const { name, email } = profile.workspaceOwner;
  return (
    <Section
      title="Workspace"
      about={`You’re in the workspace of ${name} (${email}), who can post for you, connect channels and create API keys.`}
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

/** Explains the consequences. */
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
        You keep your account with its channels and posts, on the default plan. API keys, webhooks and the connection
        link from the workspace stop working. You’ll be signed out everywhere and have to sign in again.
      </Text>
    </ConfirmDialog>
  );
}
