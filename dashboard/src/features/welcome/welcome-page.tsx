import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { crier } from '../../lib/api.ts';
import { channelsQuery, profileQuery } from '../../lib/queries.ts';
import { ConnectStep } from './connect-step.tsx';
import { PublishStep } from './publish-step.tsx';
import { Step } from './step.tsx';
import { WriteStep } from './write-step.tsx';

const firstText = 'Hello from Crier! This is my first post.';

/** The first run: from an empty account to a published post in three steps. */
export function WelcomePage({ failed, choice }: { failed: boolean; choice?: string | undefined }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: channels = [], error, isPending } = useQuery(channelsQuery);
  const [text, setText] = useState(firstText);
  const [isWritten, setWritten] = useState(false);
  const finish = useMutation({
    mutationFn: () => crier.updateProfile({ isWelcomeDone: true }),
    onSuccess: (profile) => client.setQueryData(profileQuery.queryKey, profile),
  });
  const leave = async () => {
    await finish.mutateAsync();
    await navigate({ to: '/calendar' });
  };
  const channel = channels[0];
  const current = !channel ? 1 : !isWritten ? 2 : finish.isSuccess ? 4 : 3;
  return (
    <Stack maw={680} mx="auto" gap={0}>
      <PageHeader title="Welcome" about="Three steps to your first post. It takes less than a minute." />
      {(error ?? finish.error) && <ErrorState error={error ?? finish.error} />}
      <Stack component="ol" gap="md" p={0} m={0} style={{ listStyle: 'none' }} aria-busy={isPending}>
        <Step number={1} title="Connect an account" current={current}>
          <ConnectStep channel={channel} failed={failed} choice={choice} />
        </Step>
        <Step number={2} title="Write a post" current={current}>
          {channel && (
            <WriteStep text={text} isDone={isWritten} onChange={setText} onContinue={() => setWritten(true)} />
          )}
        </Step>
        <Step number={3} title="Publish it" current={current}>
          {channel && isWritten && (
            <PublishStep
              channel={channel}
              text={text}
              onBack={() => setWritten(false)}
              onPublished={() => finish.mutate()}
            />
          )}
        </Step>
      </Stack>
      <Group mt="lg" justify="flex-end">
        {finish.isSuccess ? (
          <Button onClick={() => void navigate({ to: '/calendar' })}>Go to the calendar</Button>
        ) : (
          <Button variant="subtle" loading={finish.isPending} onClick={() => void leave()}>
            Skip
          </Button>
        )}
      </Group>
    </Stack>
  );
}
