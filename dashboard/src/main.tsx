import '@fontsource-variable/besley/wght.css';
import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './global.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './lib/query-client.ts';
import { startShareWorker } from './lib/share-worker.ts';
import { cssVariables, theme } from './lib/theme.ts';
import { router } from './router.ts';

/** The content security policy only allows styles with the nonce that the service wrote into the page. */
const styleNonce = () => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// The library that locks scrolling under a dialog reads the nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

startShareWorker();

// Loads the page's code in parallel with the session. If that fails, the router retries and reports the error.
for (const route of router.getMatchedRoutes(window.location.pathname)[0]) router.loadRouteChunk(route)?.catch(() => {});
router.subscribe('onRendered', () => document.getElementById('starting')?.remove());

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notifications position="top-center" />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
