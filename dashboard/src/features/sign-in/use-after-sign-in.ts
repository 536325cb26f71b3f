import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { setSessionOver } from '../../lib/session-over.ts';

/** Redirects to the page that the user asked for. */
export function useAfterSignIn(next: string | undefined): () => void {
  const client = useQueryClient();
  const router = useRouter();
  return () => {
    client.clear();
    setSessionOver(false);
    router.history.push(whereNext(next));
  };
}

/** The page to show after sign-in. Never another site: browsers read `/\` and `/<tab>/` as `//`. */
export function whereNext(next: string | undefined): string {
  const here = 'http://crier.invalid';
  if (!next?.startsWith('/') || !URL.canParse(next, here)) return '/';
  return new URL(next, here).origin === here ? next : '/';
}
