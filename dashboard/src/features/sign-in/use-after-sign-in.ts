import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { setSessionOver } from '../../lib/session-over.ts';
import { whereNext } from './where-next.ts';

/** Leads back to where the person wanted to go. */
export function useAfterSignIn(next: string | undefined): () => void {
  const client = useQueryClient();
  const router = useRouter();
  return () => {
    client.clear();
    setSessionOver(false);
    router.history.push(whereNext(next));
  };
}
