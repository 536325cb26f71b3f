import { createFileRoute } from '@tanstack/react-router';
import { textOf } from '../../features/posts/post-details.ts';
import { PostLoading } from '../../features/posts/post-loading.tsx';
import { PostPage } from '../../features/posts/post-page.tsx';
import { pageTitle } from '../../lib/page-title.ts';
import { firstWords } from '../../lib/post-summary.ts';
import { postQuery } from '../../lib/queries.ts';

export const Route = createFileRoute('/_app/posts/$postGroupId')({
  // The page shows its own error.
  loader: ({ context: { queryClient }, params }) =>
    queryClient.ensureQueryData(postQuery(params.postGroupId)).catch(() => null),
  head: ({ loaderData: post }) => pageTitle(post ? firstWords(textOf(post), 60) : 'Post')(),
  pendingComponent: PostLoading,
  pendingMs: 300,
  component: () => <PostPage postGroupId={Route.useParams().postGroupId} />,
});
