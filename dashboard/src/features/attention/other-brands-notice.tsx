import { Alert } from '@mantine/core';
import { useRouteContext } from '@tanstack/react-router';
import { AnchorLink } from '../../components/links.tsx';
import { allBrands } from '../../lib/brands/brand.ts';
import { shownCount, useAttention } from './use-attention.ts';

const pages = {
  '/channels': { one: 'channel', search: { health: 'attention' } },
  '/posts': { one: 'failed post', search: { status: 'failed' } },
} as const;

/** The badge of a page counts all brands. On the page of the own account, it says where the others are. */
export function OtherBrandsNotice({ page }: { page: keyof typeof pages }) {
  const { brand, session } = useRouteContext({ from: '/_app' });
  const { broken, failed, stranded } = useAttention();
  const ofBrands = (waiting: readonly { userId?: string | undefined }[]) =>
    waiting.filter(({ userId = session._id }) => userId !== session._id).length;
  const scheduled = page === '/posts' ? ofBrands(stranded) : 0;
  const number = page === '/posts' ? ofBrands(failed) + scheduled : ofBrands(broken);
  if (brand !== null || number === 0) return null;
  const { one, search } = scheduled > 0 ? { one: 'post', search: {} } : pages[page];
  return (
    <Alert color="orange" variant="light" mb="md" role="status">
      {shownCount(number)} {number === 1 ? one : `${one}s`} of your brands {number === 1 ? 'needs' : 'need'} attention.{' '}
      <AnchorLink inherit c="inherit" underline="always" to={page} search={{ ...search, brand: allBrands }}>
        View in all brands
      </AnchorLink>
    </Alert>
  );
}
