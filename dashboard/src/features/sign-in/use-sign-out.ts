import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { crier } from '../../lib/api.ts';
import { removeBackupsOfOthers } from '../composer/saving/local-backup.ts';
import { sendDeletions } from '../posts/deletion/use-deletion.tsx';

/** Ends the session and removes what this browser keeps for it. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await sendDeletions();
    await crier.signOut();
    client.clear();
    removeBackupsOfOthers();
    await navigate({ to: '/signin' });
  };
}
