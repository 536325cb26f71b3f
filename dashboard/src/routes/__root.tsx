import { Box } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, HeadContent, Outlet } from '@tanstack/react-router';
import { ErrorState } from '../components/error-state.tsx';
import { NotFound } from '../components/not-found.tsx';

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: () => (
    <>
      <HeadContent />
      <Outlet />
    </>
  ),
  errorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
  notFoundComponent: UnknownPage,
});

function UnknownPage() {
  useDocumentTitle('Page not found · Crier');
  return (
    <Box p="xl" component="main">
      <NotFound />
    </Box>
  );
}
