import type { Media } from '@crier/client';
import { Button, Group, Modal, Slider, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { describe } from '../../../components/error-state.tsx';
import { pathOf } from '../../../lib/files/media-path.ts';
import { platformName } from '../../../lib/platform-name.ts';
import type { Cover } from './covers.ts';
import classes from './media.module.css';
import { frameOf } from './video-frame.ts';

/** Selects the frame that networks show before a video plays. */
export default function CoverDialog({
  file,
  covers,
  postGroupId,
  onClose,
  onChosen,
}: {
  file: Media;
  covers: readonly Cover[];
  postGroupId: string;
  onClose: () => void;
  onChosen: (cover: Cover, value: unknown) => void;
}) {
  const video = useRef<HTMLVideoElement>(null);
  const [seconds, setSeconds] = useState<number | null>(null);
  const [at, setAt] = useState(0);
  const [isBroken, setBroken] = useState(false);
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      const frame = await frameOf(video.current!);
      for (const cover of covers) onChosen(cover, await cover.upload(frame, postGroupId));
    },
    onSuccess: onClose,
  });
  const seek = (next: number) => {
    setAt(next);
    if (video.current) video.current.currentTime = next;
  };
  return (
    <Modal opened onClose={onClose} title="Cover" size="lg">
      <Text size="sm" mb="md">
        {covers.map(({ platform }) => platformName(platform)).join(' and ')} will show this frame before the video
        plays. Other networks pick their own.
      </Text>
      {isBroken ? (
        <Text size="sm" role="alert">
          Your browser can’t play this video. Choose a cover image in the options instead.
        </Text>
      ) : (
        <>
          <video
            ref={video}
            className={classes.frame}
            src={file.url ? pathOf(file.url) : undefined}
            crossOrigin="anonymous"
            muted
            playsInline
            preload="auto"
            onLoadedMetadata={({ currentTarget }) => setSeconds(currentTarget.duration)}
            onError={() => setBroken(true)}
          />
          <Slider
            mt="md"
            mb="xs"
            thumbLabel="Frame"
            min={0}
            max={seconds ?? 1}
            step={0.1}
            disabled={seconds === null}
            label={null}
            value={at}
            onChange={seek}
          />
          <Text size="sm" c="dimmed" className={classes.numbers}>
            {clock(at)} of {clock(seconds ?? 0)}
          </Text>
        </>
      )}
      {error && (
        <Text size="sm" c="red" role="alert" mt="xs">
          {describe(error).message}
        </Text>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={isPending} disabled={seconds === null || isBroken} onClick={() => mutate()}>
          Use this frame
        </Button>
      </Group>
    </Modal>
  );
}

/** `1:02.5`. */
const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, '0')}`;
