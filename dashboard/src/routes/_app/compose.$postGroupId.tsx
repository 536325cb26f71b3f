import { createFileRoute } from '@tanstack/react-router';

/** The composer is drawn by `compose.tsx`. */
export const Route = createFileRoute('/_app/compose/$postGroupId')({ component: () => null });
