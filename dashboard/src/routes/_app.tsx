import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Outlet, redirect, retainSearchParams } from '@tanstack/react-router';
import { Fragment, lazy, Suspense } from 'react';
import { removeBackupsOfOthers } from '../features/composer/saving/local-backup.ts';
import { Shell } from '../features/shell/shell.tsx';
import { allBrands, type BrandSearch, brandOfPage, isOfOne, readBrandSearch, showBrand } from '../lib/brands/brand.ts';
import { dashboardSettingsQuery } from '../lib/dashboard-settings.ts';
import { rememberPage } from '../lib/planning-page.ts';
import { usePreload } from '../lib/preload.ts';
import { sessionQuery } from '../lib/session.ts';
import { useSessionOver } from '../lib/session-over.ts';

const loadSignIn = () => import('../features/sign-in/session-over-dialog.tsx');
const SessionOverDialog = lazy(async () => ({ default: (await loadSignIn()).SessionOverDialog }));
const LeavingPage = lazy(async () => ({
  default: (await import('../features/account/leaving-page.tsx')).LeavingPage,
}));

/** Pages for signed-in users. Others sign in first and then return here. */
export const Route = createFileRoute('/_app')({
  validateSearch: (search: Record<string, unknown>): BrandSearch => readBrandSearch(search),
  search: { middlewares: [retainSearchParams(['brand'])] },
  beforeLoad: async ({ context: { queryClient }, location, search, preload }) => {
    if (search.brand === allBrands && isOfOne(location.pathname, location.search))
      throw redirect({ to: '.', search: (before) => ({ ...before, brand: undefined }), replace: true });
    const brand = brandOfPage(location.pathname, search);
    // The page of a link under the pointer is not shown yet.
    if (!preload) {
      showBrand(queryClient, brand);
      rememberPage(location, brand);
    }
    const [session] = await Promise.all([
      queryClient.ensureQueryData(sessionQuery),
      // Loaded first, so that the sandbox banner doesn't push down a page that is already visible.
      queryClient.prefetchQuery(dashboardSettingsQuery),
    ]);
    if (!session) throw redirect({ to: '/signin', search: { next: location.href } });
    removeBackupsOfOthers(session._id);
    return { session, brand };
  },
  component: SignedIn,
});

function SignedIn() {
  const { session, brand } = Route.useRouteContext();
  const deletionAt = useQuery(sessionQuery).data?.deletionAt;
  const isOver = useSessionOver();
  usePreload(loadSignIn);
  return (
    <>
      {deletionAt ? (
        <Suspense>
          <LeavingPage deletionAt={deletionAt} />
        </Suspense>
      ) : (
        <Shell>
          <Fragment key={brand}>
            <Outlet />
          </Fragment>
        </Shell>
      )}
      <Suspense>{isOver && <SessionOverDialog user={session} />}</Suspense>
    </>
  );
}
