import { createFileRoute } from '@tanstack/react-router';

/** Rendered by `compose.tsx`. */
export const Route = createFileRoute('/_app/compose/')({ component: () => null });
