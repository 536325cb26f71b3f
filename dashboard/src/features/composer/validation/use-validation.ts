import { forms } from 'virtual:openapi';
import { CrierError } from '@crier/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { crier } from '../../../lib/api.ts';
import type { Draft } from '../draft.ts';
import type { CheckedFiles } from '../media/checked-files.ts';
import { hasContent } from '../options/relevance.ts';
import { contentOf } from '../saving/post-of-draft.ts';
import type { CheckedText } from './checked-texts.ts';
import { type Issue, issue, issuesOf, noticesOf } from './issues.ts';

export interface Validation {
  /** `current`: the verdict is about the draft as it is now. */
  readonly state: 'none' | 'checking' | 'current' | 'failed';
  /** Empty unless the verdict is current. */
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
  /** From the latest answer, which may be about an earlier text. */
  readonly texts: readonly CheckedText[];
}

export const notChecked: Validation = { state: 'none', errors: [], warnings: [], texts: [] };

interface Context {
  readonly postGroupId: string | null;
  readonly mediaKey: string;
  readonly files: CheckedFiles;
  readonly at: Date | null;
  /** False while the draft is already ahead of the one given. */
  readonly isLatest: boolean;
}

/** The server's validation of the current draft. The rules exist only there. */
export function useValidation(draft: Draft, { postGroupId, mediaKey, files, at, isLatest }: Context): Validation {
  const key = JSON.stringify(files);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says whether the files are others.
  const body = useMemo(() => requestFor(draft, { postGroupId, files, at }), [draft, postGroupId, key, at]);
  const [asked, setAsked] = useState(body);
  const { data, isFetching, isPlaceholderData, isError, isPaused } = useQuery({
    queryKey: ['validation', asked, mediaKey],
    queryFn: ({ signal }) => validate(JSON.parse(asked!), signal),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  });
  const isDone = !isFetching || isPaused;
  useLatest(body, asked, isDone, setAsked);
  const isSame = isLatest && asked === body && !isPlaceholderData;
  const state = body === null ? 'none' : isSame && data ? 'current' : isError || isPaused ? 'failed' : 'checking';
  return useMemo(() => {
    if (state === 'none') return notChecked;
    if (state === 'current') return { ...data!, state };
    return { ...notChecked, texts: data?.texts ?? notChecked.texts, state };
  }, [data, state]);
}

/** The pause between an answer and the next request, well within the rate limit of validate-post. */
const pauseMs = 350;

/** Asks about the latest draft: immediately if nothing was asked yet, otherwise a pause after the latest answer. */
function useLatest<T>(wanted: T, asked: T, isDone: boolean, ask: (latest: T) => void) {
  const latest = useRef(wanted);
  latest.current = wanted;
  const isBehind = wanted !== asked;
  const isFirst = asked === null;
  useEffect(() => {
    if (!isBehind || !isDone) return;
    // Not restarted by further changes, so someone who keeps typing gets answers, too.
    const timer = setTimeout(() => ask(latest.current), isFirst ? 0 : pauseMs);
    return () => clearTimeout(timer);
  }, [isBehind, isDone, isFirst, ask]);
}

/** Null for a draft that the server would refuse to check. */
function requestFor(
  draft: Draft,
  { postGroupId, files: { mediaIds, platformMedia }, at }: Pick<Context, 'postGroupId' | 'files' | 'at'>,
): string | null {
  if (draft.channels.length === 0 || !hasContent(draft)) return null;
  return JSON.stringify({
    ...contentOf(draft, forms),
    ...(postGroupId && { postGroupId }),
    // The selection may be older than the files.
    platformMedia: Object.fromEntries(Object.entries(platformMedia).filter(([id]) => draft.channels.includes(id))),
    ...(mediaIds && { mediaIds: mediaIds.join() }),
    ...(at && { scheduledTime: at.toISOString() }),
  });
}

async function validate(
  body: Parameters<typeof crier.validatePost>[0],
  signal: AbortSignal,
): Promise<Omit<Validation, 'state'>> {
  try {
    const { validation, texts, warnings = [] } = await crier.validatePost(body, { signal });
    return {
      errors: issuesOf(validation.errors),
      warnings: [...issuesOf(validation.warnings), ...noticesOf(warnings)],
      texts,
    };
  } catch (error) {
    if (!(error instanceof CrierError) || error.status === null || error.status >= 500) throw error;
    return { errors: issuesOf([issue(error.code, error.message, 'error')]), warnings: [], texts: [] };
  }
}
