import { createFileRoute, notFound } from '@tanstack/react-router';
import { NotFound } from '../../components/not-found.tsx';
import { textOf } from '../../features/posts/post/details.ts';
import { PostLoading } from '../../features/posts/post/loading.tsx';
import { PostPage } from '../../features/posts/post/post-page.tsx';
import { pageTitle } from '../../lib/page-title.ts';
import { isPostGroupId } from '../../lib/posts/post-group-id.ts';
import { firstWords } from '../../lib/posts/post-summary.ts';
import { postQuery } from '../../lib/queries.ts';

export const Route = createFileRoute('/_app/posts/$postGroupId')({
  loader({ context: { queryClient }, params: { postGroupId } }) {
    if (!isPostGroupId(postGroupId)) throw notFound();
    // The page shows its own error.
    return queryClient.ensureQueryData(postQuery(postGroupId)).catch(() => null);
  },
  notFoundComponent: NotFound,
  head: ({ loaderData: post }) => pageTitle(post ? firstWords(textOf(post), 60) : 'Post')(),
  pendingComponent: PostLoading,
  pendingMs: 300,
  component: () => <PostPage postGroupId={Route.useParams().postGroupId} />,
});
