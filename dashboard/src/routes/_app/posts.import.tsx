import { createFileRoute } from '@tanstack/react-router';
import { OfOneBrand } from '../../components/brands/choose-brand.tsx';
import { ImportPage } from '../../features/posts/import/import-page.tsx';
import { pageTitle } from '../../lib/page-title.ts';

export const Route = createFileRoute('/_app/posts/import')({
  head: pageTitle('Import posts'),
  component: () => (
    <OfOneBrand page="Import posts" title="Which brand are the posts for?">
      <ImportPage />
    </OfOneBrand>
  ),
});
