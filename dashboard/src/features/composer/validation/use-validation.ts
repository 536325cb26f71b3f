import { forms } from 'virtual:openapi';
import type { Connection, PostValidated } from '@crier/client';
import { CrierError } from '@crier/client';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { crier } from '../../../lib/api.ts';
import type { Draft } from '../draft.ts';
import { newPostOf } from '../saving/post-of-draft.ts';
import { type Issue, issue, issuesOf, noticesOf } from './issues.ts';

export type CheckedText = PostValidated['texts'][number];

export interface Validation {
  /** Whether this matches the current draft. */
  readonly isCurrent: boolean;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
  readonly texts: readonly CheckedText[];
}

const nothing: Validation = { isCurrent: true, errors: [], warnings: [], texts: [] };

/** The server's validation of the current draft. The rules exist only there. */
export function useValidation(
  draft: Draft,
  { postGroupId, mediaKey, at }: { postGroupId: string | null; mediaKey: string; at: Date | null },
): Validation {
  const body = JSON.stringify({
    ...newPostOf(draft, forms),
    ...(postGroupId && { postGroupId }),
    ...(at && { scheduledTime: at.toISOString() }),
  });
  const [asked] = useDebouncedValue(body, 250);
  const isAskable = draft.channels.length > 0 && (draft.text.trim() !== '' || Object.keys(draft.settings).length > 0);
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['validation', asked, mediaKey],
    queryFn: ({ signal }) => validate(JSON.parse(asked), signal),
    // Some networks accept posts without text with certain options. The service knows which.
    enabled: isAskable,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  });
  const isCurrent = asked === body && !isPlaceholderData;
  return useMemo(() => (isAskable && data ? { ...data, isCurrent } : nothing), [isAskable, data, isCurrent]);
}

/** The validated text of a channel, if available. */
export const textOn = ({ texts }: Validation, channel: string) =>
  texts.find(({ platforms }) => platforms.includes(channel)) ?? null;

const whole: readonly string[] = [];

/** The parts on the channel with the longest thread. Empty if there is no thread. */
export function longestThread(channels: readonly Connection[], validation: Validation): readonly string[] {
  return channels
    .map(({ platformId }) => textOn(validation, platformId)?.parts ?? whole)
    .filter((parts) => parts.length > 1)
    .reduce((longest, parts) => (parts.length > longest.length ? parts : longest), whole);
}

async function validate(
  body: Parameters<typeof crier.validatePost>[0],
  signal: AbortSignal,
): Promise<Omit<Validation, 'isCurrent'>> {
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
