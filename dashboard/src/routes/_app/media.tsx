import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { OfOneBrand } from '../../components/brands/choose-brand.tsx';
import { MediaPage } from '../../features/media/media-page.tsx';
import { type MediaFilters, mediaQuery, mediaTypes } from '../../features/media/media-queries.ts';
import { pageTitle } from '../../lib/page-title.ts';

export const Route = createFileRoute('/_app/media')({
  validateSearch: (search): MediaFilters => {
    const type = mediaTypes.find((each) => each === search.type);
    const text = (value: unknown) => (typeof value === 'string' && value.trim() ? value.trim() : undefined);
    const [q, label] = [text(search.q)?.slice(0, 200), text(search.label)?.slice(0, 50)];
    return { ...(type && { type }), ...(q && { q }), ...(label && { label }) };
  },
  head: pageTitle('Media'),
  loaderDeps: ({ search: { brand: _, ...filters } }) => filters,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchInfiniteQuery(mediaQuery(deps));
  },
  component: Page,
});

function Page() {
  const { brand: _, ...filters } = Route.useSearch();
  const navigate = useNavigate();
  return (
    <OfOneBrand page="Media" title="Whose files do you want to see?">
      <MediaPage filters={filters} onFilter={(search) => void navigate({ to: '/media', search })} />
    </OfOneBrand>
  );
}
