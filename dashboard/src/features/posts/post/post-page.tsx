import type { PostLog } from '@crier/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ErrorState } from '../../../components/error-state.tsx';
import { BackLink } from '../../../components/links.tsx';
import { NotFound } from '../../../components/not-found.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { firstWords } from '../../../lib/posts/post-summary.ts';
import { postQuery } from '../../../lib/queries.ts';
import { isMissing, logsQuery } from '../list/queries.ts';
import { PostActions } from './actions.tsx';
import { statusOf, textOf } from './details.ts';
import { PostLoading } from './loading.tsx';
import { PostDetails, PostWhen } from './post-details.tsx';

/** One post with its status on each network. */
export function PostPage({ postGroupId }: { postGroupId: string }) {
  const navigate = useNavigate();
  // The route's loader has just made this request, so don't repeat it after an error.
  const { data: post, error, refetch, isPending } = useQuery({ ...postQuery(postGroupId), retryOnMount: false });
  const { data: logs = none } = useQuery({ ...logsQuery(postGroupId), enabled: Boolean(post) });
  if (isMissing(error)) return <NotFound />;
  if (isPending) return <PostLoading />;
  if (!post) {
    return (
      <>
        <PageHeader title="Post" back={<ToPosts />} />
        <ErrorState error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  const status = statusOf(post, logs);
  return (
    <>
      <PageHeader
        title={firstWords(textOf(post), 60)}
        about={<PostWhen time={post.scheduledTime} status={status} />}
        back={<ToPosts />}
      >
        <PostActions
          post={post}
          isEditable={status === 'draft' || status === 'scheduled'}
          onDeleted={() => void navigate({ to: '/posts' })}
        />
      </PageHeader>
      <PostDetails post={post} />
    </>
  );
}

const ToPosts = () => <BackLink to="/posts">Posts</BackLink>;

const none: readonly PostLog[] = [];
