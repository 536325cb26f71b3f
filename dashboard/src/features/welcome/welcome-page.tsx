import { Button, Flex, Stack } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { crier } from '../../lib/api.ts';
import { channelsQuery, limitsQuery, postQuery, profileQuery } from '../../lib/queries.ts';
import { ConnectStep } from './connect-step.tsx';
import { isPublished, pictureNetworks, textNetworks } from './first-post.ts';
import { PublishStep } from './publish-step.tsx';
import { Step } from './step.tsx';
import { WriteStep } from './write-step.tsx';

/** The first run: from an empty account to a published post in three steps. */
export function WelcomePage({ failed, choice }: { failed: boolean; choice?: string | undefined }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: channels = [], error, isPending } = useQuery(channelsQuery);
  const { data: limits = {} } = useQuery(limitsQuery);
  // Survives leaving the page for a consent page.
  const [text, setText] = useSessionStorage({
    key: 'crier.first-post',
    defaultValue: 'Hello from Crier! This is my first post.',
    getInitialValueInEffect: false,
  });
  const [picture, setPicture] = useState<File | null>(null);
  const [isWritten, setWritten] = useState(false);
  const [postGroupId, setPostGroupId] = useState<string | null>(null);
  const published = useQuery({ ...postQuery(postGroupId ?? ''), enabled: postGroupId !== null });
  const finish = useMutation({
    mutationFn: () => crier.updateProfile({ isWelcomeDone: true }),
    onSuccess: (profile) => client.setQueryData(profileQuery.queryKey, profile),
  });
  const leave = async () => {
    await finish.mutateAsync();
    await navigate({ to: '/calendar' });
  };
  const [withText, withPicture] = [textNetworks(limits), pictureNetworks(limits)];
  const networks = picture ? withPicture : withText;
  const targets = channels.filter(({ platform }) => networks.includes(platform));
  const others = channels.filter(({ platform }) => !networks.includes(platform));
  const pictureFor = channels.filter(({ platform }) => withPicture.includes(platform) && !withText.includes(platform));
  const isPictureNeeded = !channels.some(({ platform }) => withText.includes(platform));
  const isServed = targets.length > 0 || pictureFor.length > 0;
  const current = !isServed ? 1 : !isWritten ? 2 : isPublished(published.data?.posts ?? []) ? 4 : 3;
  const problem = error ?? published.error ?? finish.error;
  return (
    <Stack maw={680} mx="auto" gap={0}>
      <PageHeader title="Welcome" about="Three steps to your first post." />
      {problem && <ErrorState error={problem} />}
      <Stack component="ol" gap="md" p={0} m={0} style={{ listStyle: 'none' }} aria-busy={isPending}>
        <Step number={1} title="Connect your channels" current={current}>
          <ConnectStep
            channels={channels}
            networks={[...withText, ...withPicture]}
            isOver={finish.isSuccess}
            failed={failed}
            choice={choice}
          />
        </Step>
        <Step number={2} title="Write a post" current={current}>
          <WriteStep
            text={text}
            picture={picture}
            pictureFor={pictureFor}
            isPictureNeeded={isPictureNeeded}
            isDone={isWritten}
            onChange={setText}
            onPicture={setPicture}
            onContinue={() => setWritten(true)}
          />
        </Step>
        <Step number={3} title="Publish it" current={current}>
          <PublishStep
            channels={targets}
            others={others}
            text={text}
            picture={picture}
            post={published.data}
            onBack={() => setWritten(false)}
            onPublish={(id) => {
              setPostGroupId(id);
              finish.mutate();
            }}
          />
        </Step>
      </Stack>
      <Flex mt="lg" gap="md" justify="flex-end" direction={{ base: 'column-reverse', xs: 'row' }}>
        {finish.isSuccess ? (
          <NextSteps />
        ) : (
          <Button variant="subtle" loading={finish.isPending} onClick={() => void leave()}>
            Skip setup
          </Button>
        )}
      </Flex>
    </Stack>
  );
}

const NextSteps = () => (
  <>
    <ButtonLink to="/channels" search={{ add: 'networks' }} variant="default">
      Add channel
    </ButtonLink>
    <ButtonLink to="/compose" variant="default">
      Write another post
    </ButtonLink>
    <ButtonLink to="/calendar">Go to calendar</ButtonLink>
  </>
);
