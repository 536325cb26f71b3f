import type { User } from '@crier/client';
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { dashboardSettingsQuery } from '../../lib/dashboard-settings.ts';
import { sessionQuery } from '../../lib/session.ts';
import { setSessionOver, useSessionOver } from '../../lib/session-over.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Covers a page whose session has ended. After signing in again, the page is unchanged. */
export function SessionOverDialog({ user }: { user: Pick<User, '_id' | 'email'> }) {
  const isOver = useSessionOver();
  return isOver ? <SignInAgain user={user} /> : null;
}

function SignInAgain({ user }: { user: Pick<User, '_id' | 'email'> }) {
  const client = useQueryClient();
  const router = useRouter();
  const { data: settings } = useQuery(dashboardSettingsQuery);
  const resume = async () => {
    const session = await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
    // The page's content belongs to a different user.
    if (session?._id !== user._id) return window.location.assign('/');
    setSessionOver(false);
    await client.invalidateQueries();
    await router.invalidate();
  };
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title="Sign in again"
      centered
    >
      <Stack>
        <Text size="sm">Your session has ended. Sign in to continue. Nothing on this page is lost.</Text>
        <SignInForm settings={settings} email={user.email} onSignedIn={() => void resume()} />
        <Button component="a" href="/signin" variant="subtle" fullWidth>
          Leave this page
        </Button>
      </Stack>
    </Modal>
  );
}
