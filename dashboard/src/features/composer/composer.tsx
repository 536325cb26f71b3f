import type { Connection, Media, PlatformLimits } from '@crier/client';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { postQuery } from '../../lib/queries.ts';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { ActionBar } from './action-bar.tsx';
import { ChannelPicker } from './channel-picker.tsx';
import { Columns } from './columns.tsx';
import type { Draft } from './draft.ts';
import { MediaButtons } from './media/buttons.tsx';
import { MediaPanel } from './media/panel.tsx';
import { useMedia } from './media/use-media.ts';
import type { Upload } from './media/use-uploads.ts';
import { PreviewPanel } from './previews/panel.tsx';
import type { Autosaver, Place } from './saving/autosaver.ts';
import { showDraftNotice } from './saving/draft-notice.ts';
import { LeaveGuard } from './saving/leave-guard.tsx';
import { WhenFields } from './schedule/fields.tsx';
import { usePhrases } from './schedule/use-phrases.ts';
import { readWhen, type When } from './schedule/when.ts';
import { Texts } from './text/texts.tsx';
import { type Start, useComposer, useFields } from './use-composer.ts';
import { useValidation } from './validation/use-validation.ts';

const OptionsPanel = lazy(() => import('./options/panel.tsx'));
const ConflictDialog = lazy(() => import('./saving/conflict-dialog.tsx'));

/** One post: editor on the left, preview on the right, actions below. */
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
  useReturnToDraft(saver, post?.status);
  const { uploads, actions } = useMedia(composing, postGroupId);
  const media = useMemo(() => attachedIn(post?.media ?? [], uploads.list), [post?.media, uploads.list]);
  const fields = useFields(composing);
  // What derives from the text may lag behind, so that typing never waits for it.
  const seen = useDeferredValue(draft);
  const mediaKey = media.map(({ mediaId, status }) => `${mediaId} ${status}`).join();
  const { when, timeIn } = useWhen(draft, timeZone);
  const validation = useValidation(seen, { postGroupId, mediaKey, at: when.kind === 'at' ? when.at : null });
  const chosen = useMemo(
    () => draft.channels.flatMap((id) => channels.find(({ platformId }) => platformId === id) ?? []),
    [draft.channels, channels],
  );
  return (
    <>
      <Columns
        write={
          <Stack gap="md">
            <ChannelPicker channels={channels} chosen={draft.channels} change={change} />
            <Texts
              composing={composing}
              chosen={chosen}
              validation={validation}
              limits={limits}
              tools={<MediaButtons onAdd={uploads.add} />}
            />
            <MediaPanel
              media={media}
              uploads={uploads}
              actions={actions}
              fields={fields}
              postGroupId={postGroupId}
              chosen={chosen}
              limits={limits}
            />
            <WhenFields fields={fields} when={when} timeIn={timeIn} timeZone={timeZone} />
            {chosen.length > 0 && (
              <Suspense fallback={null}>
                <OptionsPanel
                  fields={fields}
                  chosen={chosen}
                  media={media}
                  hasLink={/https?:\/\//.test(draft.text)}
                  postGroupId={postGroupId}
                />
              </Suspense>
            )}
          </Stack>
        }
        preview={
          <PreviewPanel draft={seen} chosen={chosen} validation={validation} media={media} uploads={uploads.list} />
        }
      />
      <ActionBar
        draft={seen}
        saver={saver}
        saveState={saveState}
        validation={validation}
        when={when}
        timeZone={timeZone}
        isUploading={uploads.list.some(({ state }) => state === 'uploading' || state === 'waiting')}
        unhealthy={chosen.filter(({ connectionStatus }) => connectionStatus === 'reconnect_required').length}
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

/** Files uploading from this page are shown with their progress instead. */
const attachedIn = (media: readonly Media[], uploads: readonly Upload[]) =>
  media.filter(
    ({ status, sourceFileName }) => status !== 'uploading' || uploads.every(({ name }) => name !== sourceFileName),
  );

/** Adding files turns a scheduled post into a draft. Users would miss it without a notice. */
function useReturnToDraft(saver: Autosaver, status: string | undefined) {
  const before = useRef(status);
  useEffect(() => {
    const wasScheduled = before.current === 'scheduled';
    before.current = status;
    if (wasScheduled && status === 'draft' && saver.returnToDraft()) showDraftNotice('files changed');
  }, [saver, status]);
}

/** Reads the date and time fields, and the time in a phrase such as "fri 14:30". */
function useWhen({ date, time }: Draft, timeZone: string): { when: When; timeIn: (phrase: string) => string | null } {
  const { locale } = useTimePreferences();
  const [now, phrases] = [useMinute(), usePhrases(date, locale)];
  const clock = useMemo(() => ({ now, timeZone, phrases }), [now, timeZone, phrases]);
  const when = useMemo(() => readWhen(date, time, clock), [date, time, clock]);
  const timeIn = useCallback(
    (phrase: string) => {
      const alone = readWhen(phrase, '', clock);
      return phrase.trim() !== '' && alone.kind === 'at' ? alone.time : null;
    },
    [clock],
  );
  return { when, timeIn };
}

/** The current time, updated every 30 seconds: a future time may have passed. */
function useMinute(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
