import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { MediaPage } from '../../features/media/media-page.tsx';
import { type MediaFilters, mediaQuery, mediaTypes } from '../../features/media/media-queries.ts';
import { pageTitle } from '../../lib/page-title.ts';

export const Route = createFileRoute('/_app/media')({
  validateSearch: (search): MediaFilters => {
    const type = mediaTypes.find((each) => each === search.type);
    return type ? { type } : {};
  },
  head: pageTitle('Media'),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchInfiniteQuery(mediaQuery(deps));
  },
  component: Page,
});

function Page() {
  const filters = Route.useSearch();
  const navigate = useNavigate();
  return <MediaPage filters={filters} onFilter={(search) => void navigate({ to: '/media', search, replace: true })} />;
}
