import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { rememberOwners } from '../../../lib/brands/brand.ts';
import { type PanelSearch, withoutPanel } from '../../../lib/posts/post-panel.ts';
import { firstWords } from '../../../lib/posts/post-summary.ts';
import { postQuery } from '../../../lib/queries.ts';
import { textOf } from './details.ts';
import { PanelSkeleton } from './loading.tsx';

const PanelContent = lazy(() => import('./panel-content.tsx'));

/** The post in the address (`?post=`), beside the page on which it was opened. It fills a phone. */
export function PostPanel() {
  const search: PanelSearch = useSearch({ strict: false });
  const close = useClose();
  // The content stays while the panel closes.
  const [shown, setShown] = useState(search);
  if (search.post && search.post !== shown.post) setShown({ post: search.post, ...search });
  const { post: postGroupId = '', owner } = search.post ? search : shown;
  if (owner) rememberOwners([{ postGroupId, userId: owner }]);
  const query = useQuery({ ...postQuery(postGroupId), enabled: search.post !== undefined });
  return (
    <Drawer
      opened={search.post !== undefined}
      onClose={close}
      position="right"
      size={640}
      title={query.data ? <bdi>{firstWords(textOf(query.data), 60)}</bdi> : 'Post'}
    >
      <Suspense fallback={<PanelSkeleton />}>
        {postGroupId && <PanelContent key={postGroupId} query={query} owner={owner} onClose={close} />}
      </Suspense>
    </Drawer>
  );
}

/** One step back if the panel was opened on this page, so that Back doesn't open it again. */
function useClose() {
  const router = useRouter();
  return () => {
    if (router.history.location.state.isPanel) router.history.back();
    else void router.navigate({ to: '.', search: withoutPanel, replace: true, resetScroll: false });
  };
}
