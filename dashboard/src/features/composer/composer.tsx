import type { Connection, ListedMedia, Media, PlatformLimits } from '@crier/client';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { LabelsField } from '../../components/labels/labels-field.tsx';
import { crier } from '../../lib/api.ts';
import { postQuery } from '../../lib/queries.ts';
import { ActionBar } from './action-bar.tsx';
import { lastChannelsOf } from './channels/last-used.ts';
import { ChannelPicker } from './channels/picker.tsx';
import { Columns } from './columns.tsx';
import { isBlank } from './draft.ts';
import { MediaButtons } from './media/buttons.tsx';
import { checkedFiles } from './media/checked-files.ts';
import { Files } from './media/files.tsx';
import { filesOf, type PostFiles } from './media/own/own-files.ts';
import { keyOf } from './media/staged-files.ts';
import { useMedia } from './media/use-media.ts';
import type { Upload } from './media/use-uploads.ts';
import { hasContent } from './options/relevance.ts';
import { PreviewPanel } from './previews/panel.tsx';
import { type Autosaver, isScheduled, type Place } from './saving/autosaver.ts';
import { showDraftNotice } from './saving/draft-notice.ts';
import { LeaveGuard } from './saving/leave-guard.tsx';
import { useRestoredNotice } from './saving/restored-notice.ts';
import { WhenFields } from './schedule/fields.tsx';
import { useWhen } from './schedule/use-when.ts';
import { Texts } from './text/texts.tsx';
import { type Change, type Start, useComposer, useFields } from './use-composer.ts';
import { useValidation } from './validation/use-validation.ts';

const OptionsPanel = lazy(() => import('./options/panel.tsx'));
const SharedDialog = lazy(() => import('./share-target/shared-dialog.tsx'));
const ConflictDialog = lazy(() => import('./saving/conflict-dialog.tsx'));

/** One post: editor on the left, preview on the right, actions below. */
export function Composer({
  start,
  channels,
  limits,
  timeZone,
  isShared,
  onPlace,
}: {
  start: Start;
  channels: readonly Connection[];
  limits: Readonly<Record<string, PlatformLimits>>;
  timeZone: string;
  /** Another app has shared something for this post. */
  isShared: boolean;
  onPlace: (place: Place) => void;
}) {
  const composing = useComposer(start, timeZone, onPlace);
  const { draft, change, saver, saveState, attached } = composing;
  const postGroupId = saver.place.kind === 'post' ? saver.place.postGroupId : null;
  const { data: post } = useQuery({ ...postQuery(postGroupId ?? ''), enabled: postGroupId !== null });
  useStatus(saver, post?.status);
  useRestoredNotice(composing, start);
  const stored = useMemo(() => (post ? filesOf(post) : none), [post]);
  const all = useMedia(composing, postGroupId, stored);
  const { own, uploads } = all;
  useGivenFile(uploads.add);
  const media = useMemo(() => attachedIn(all.media, uploads.list), [all.media, uploads.list]);
  const fields = useFields(composing);
  // What derives from the text may lag behind, so that typing never waits for it.
  const seen = useDeferredValue(draft);
  const mediaKey = [...media, ...Object.values(own.lists).flat()]
    .map((file) => `${file.mediaId} ${file.status}`)
    .join();
  const { when, timeIn } = useWhen(draft, timeZone);
  const validation = useValidation(seen, {
    postGroupId,
    mediaKey,
    files: checkedFiles(draft, all.media, own.lists),
    at: when.kind === 'at' ? when.at : null,
    isLatest: seen === draft,
  });
  const lastUsed = useMemo(() => lastChannelsOf(start.userId, channels), [start.userId, channels]);
  const [previewed, preview] = useState<string | null>(null);
  const chosen = useMemo(
    () => draft.channels.flatMap((id) => channels.find(({ platformId }) => platformId === id) ?? []),
    [draft.channels, channels],
  );
  const sharing = useMemo(() => chosen.filter(({ platformId }) => !(platformId in own.lists)), [chosen, own.lists]);
  const select = useCallback<Change>(
    (action) => {
      if (action.type === 'channel' && !action.chosen) own.edits.keep((id) => id === action.id);
      if (action.type === 'channels') own.edits.keep((id) => !action.ids.includes(id));
      change(action);
    },
    [own.edits, change],
  );
  const keyOfFile = useCallback((mediaId: string) => keyOf(mediaId, attached), [attached]);
  const separateFiles = useCallback(
    (platformId: string) => {
      own.edits.separate(platformId);
      preview(platformId);
    },
    [own.edits],
  );
  return (
    <>
      <Columns
        write={
          <Stack gap="md">
            <ChannelPicker channels={channels} chosen={draft.channels} lastUsed={lastUsed} change={select} />
            <Texts
              composing={composing}
              chosen={chosen}
              validation={validation}
              limits={limits}
              previewed={previewed}
              onPreview={preview}
              withFiles={sharing}
              onSeparateFiles={separateFiles}
              tools={<MediaButtons onAdd={uploads.add} />}
            />
            <Files
              media={{ ...all, media }}
              fields={fields}
              postGroupId={postGroupId}
              chosen={chosen}
              sharing={sharing}
              keyOf={keyOfFile}
              limits={limits}
              onPreview={preview}
            />
            <WhenFields fields={fields} when={when} timeIn={timeIn} timeZone={timeZone} />
            <LabelsField value={draft.labels} onChange={(labels) => change({ type: 'labels', labels })} />
            {chosen.length > 0 && (
              <Suspense fallback={null}>
                <OptionsPanel
                  fields={fields}
                  chosen={chosen}
                  media={media}
                  ownMedia={own.lists}
                  hasLink={/https?:\/\//.test(draft.text)}
                  limits={limits}
                  postGroupId={postGroupId}
                />
              </Suspense>
            )}
          </Stack>
        }
        preview={
          <PreviewPanel
            draft={seen}
            chosen={chosen}
            validation={validation}
            media={media}
            ownMedia={own.lists}
            uploads={uploads.list}
            previewed={previewed}
            onPreview={preview}
          />
        }
      />
      <ActionBar
        userId={start.userId}
        saver={saver}
        saveState={saveState}
        attached={attached}
        change={change}
        hasChannels={draft.channels.length > 0}
        hasText={hasContent(draft)}
        isNothing={saver.place.kind === 'nowhere' && isBlank(draft)}
        validation={validation}
        when={when}
        timeZone={timeZone}
        isUploading={uploads.list.some(({ state }) => state !== 'failed' && state !== 'refused')}
        onDiscard={uploads.clear}
        unhealthy={chosen.filter(({ connectionStatus }) => connectionStatus === 'reconnect_required').length}
      />
      <LeaveGuard saver={saver} />
      {isShared && (
        <Suspense fallback={null}>
          <SharedDialog
            onAdd={(text, files) => {
              if (text !== '') change({ type: 'text', text: draft.text === '' ? text : `${draft.text}\n\n${text}` });
              if (files.length > 0) uploads.add(files);
            }}
          />
        </Suspense>
      )}
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

const none: PostFiles = { shared: [], own: {} };

/** Files uploading from this page are shown with their progress instead. */
const attachedIn = (media: readonly Media[], uploads: readonly Upload[]) =>
  media.filter(
    ({ status, sourceFileName }) => status !== 'uploading' || uploads.every(({ name }) => name !== sourceFileName),
  );

/** Adds the file that a new post was begun with in the library. The address of a stored draft no longer has it. */
function useGivenFile(add: (files: [ListedMedia]) => void) {
  const file = useLocation({ select: ({ state }) => state.file });
  const isAdded = useRef(false);
  useEffect(() => {
    if (!file || isAdded.current) return;
    isAdded.current = true;
    add([file]);
  }, [file, add]);
}

/** A change of its files turns a scheduled post into a draft. Users would miss it without a notice. */
function useStatus(saver: Autosaver, status: string | undefined) {
  const before = useRef(status);
  useEffect(() => {
    const isChange = before.current !== undefined && before.current !== status;
    before.current = status;
    if (!isChange || (status !== 'draft' && status !== 'scheduled')) return;
    if (saver.place.kind !== 'post') return;
    const { postGroupId } = saver.place;
    // While the files of a scheduled post are saved, it is a draft for a moment.
    const read = async () => (await crier.getPost({ postGroupId })).status;
    void saver.followStatus(read).then(
      (isNews) => {
        if (isNews && !isScheduled(saver.place)) showDraftNotice();
      },
      () => undefined,
    );
  }, [saver, status]);
}
