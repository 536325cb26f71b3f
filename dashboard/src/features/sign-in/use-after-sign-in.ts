import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { whereNext } from './where-next.ts';

/** Leads back to where the person wanted to go. */
export function useAfterSignIn(next: string | undefined): () => void {
  const client = useQueryClient();
  const router = useRouter();
  return () => {
    client.clear();
    router.history.push(whereNext(next));
  };
}
