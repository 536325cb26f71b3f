import type { Connection, PlatformLimits } from '@crier/client';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { postQuery } from '../../lib/queries.ts';
import { PreviewPanel } from '../previews/preview-panel.tsx';
import { ActionBar } from './action-bar.tsx';
import { ChannelPicker } from './channel-picker.tsx';
import { Columns } from './columns.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { MediaPanel } from './media-panel.tsx';
import type { Place } from './saver.ts';
import { Texts } from './texts.tsx';
import { type Start, useComposer } from './use-composer.ts';
import { useMedia } from './use-media.ts';
import { usePhrases } from './use-phrases.ts';
import { useValidation } from './use-validation.ts';
import { readWhen } from './when.ts';
import { WhenFields } from './when-fields.tsx';

const OptionsPanel = lazy(() => import('./options-panel.tsx'));
const ConflictDialog = lazy(() => import('./conflict-dialog.tsx'));

/** Everything about one post: left what is written, right how it will look, below what to do with it. */
export function Composer({
  start,
  channels,
  limits,
  timeZone,
  onPlace,
}: {
  start: Start;
  channels: readonly Connection[];
  limits: Readonly<Record<string, PlatformLimits>>;
  timeZone: string;
  onPlace: (place: Place) => void;
}) {
  const composing = useComposer(start, timeZone, onPlace);
  const { draft, change, saver, saveState } = composing;
  const postGroupId = saver.place.kind === 'post' ? saver.place.postGroupId : null;
  const { data: post } = useQuery({ ...postQuery(postGroupId ?? ''), enabled: postGroupId !== null });
  const media = post?.media ?? [];
  const actions = useMedia(composing, postGroupId);
  const { list: uploads } = actions.uploads;
  const mediaKey = media.map(({ mediaId, status }) => `${mediaId} ${status}`).join();
  const validation = useValidation(draft, postGroupId, mediaKey);
  const chosen = draft.channels.flatMap((id) => channels.find(({ platformId }) => platformId === id) ?? []);
  const when = readWhen(draft.date, draft.time, { now: useMinute(), timeZone, phrases: usePhrases(draft.date) });
  return (
    <>
      <Columns
        write={
          <Stack gap="lg">
            <ChannelPicker channels={channels} chosen={draft.channels} change={change} />
            <Texts composing={composing} chosen={chosen} validation={validation} limits={limits} />
            <MediaPanel
              media={media}
              actions={actions}
              composing={composing}
              postGroupId={postGroupId}
              chosen={chosen}
              limits={limits}
            />
            {chosen.length > 0 && (
              <Suspense fallback={null}>
                <OptionsPanel composing={composing} chosen={chosen} media={media} postGroupId={postGroupId} />
              </Suspense>
            )}
            <WhenFields composing={composing} when={when} timeZone={timeZone} />
          </Stack>
        }
        preview={<PreviewPanel draft={draft} chosen={chosen} validation={validation} media={media} uploads={uploads} />}
      />
      <ActionBar
        composing={composing}
        validation={validation}
        when={when}
        timeZone={timeZone}
        isUploading={uploads.some(({ state }) => state === 'uploading' || state === 'waiting')}
      />
      <LeaveGuard saver={saver} />
      {saveState.kind === 'conflict' && (
        <Suspense fallback={null}>
          <ConflictDialog
            mine={draft}
            theirs={saveState.theirs}
            onChoose={(choice) => {
              const { theirs } = saveState;
              saver.resolve(choice);
              if (choice === 'theirs') change({ type: 'load', draft: theirs });
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** The time now, read again each half minute: what was in the future may be past. */
function useMinute(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
