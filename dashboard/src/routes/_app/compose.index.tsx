import { createFileRoute } from '@tanstack/react-router';
import { pageTitle } from '../../lib/page-title.ts';

/** Rendered by `compose.tsx`. */
export const Route = createFileRoute('/_app/compose/')({
  head: pageTitle('New post'),
  component: () => null,
});
