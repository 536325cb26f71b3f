import { z } from 'zod';
import type { ProblemKey } from '../../foundation/errors/index.ts';
import { postLimits } from '../../foundation/errors/posts.ts';
import { parseSmallJson } from '../../foundation/lib/json.ts';

interface Problems {
  missing: ProblemKey;
  notJson: ProblemKey;
  notArray: ProblemKey;
  tooMany: ProblemKey;
  duplicate: ProblemKey;
}

/** More accounts than anyone posts the same text to. */

/** `platforms` of a new post: at least one. */
export const createIds = idList({
  missing: 'platforms_missing',
  notJson: 'platforms_not_json',
  notArray: 'platforms_not_array',
  tooMany: 'platforms_too_many',
  duplicate: 'platforms_duplicate',
}).refine((ids) => ids.length > 0, 'platforms_empty');

/** `platforms` of an update, which may be empty for a draft. Same errors, but with a code. */
export const updateIds = idList({
  missing: 'update_platforms_not_array',
  notJson: 'update_platforms_not_json',
  notArray: 'update_platforms_not_array',
  tooMany: 'update_platforms_too_many',
  duplicate: 'update_platforms_duplicate',
});

/** Splits a connection id at the first dash. Returns null if it is not a connection id. */
export function splitPlatformId(id: string): { platform: string; accountId: string } | null {
  const match = /^([a-z]+)-([^\s/?#]+)$/.exec(id);
  return match ? { platform: match[1]!, accountId: match[2]! } : null;
}

function idList({ missing, notJson, notArray, tooMany, duplicate }: Problems) {
  const notAList = ({ input }: { input?: unknown }) =>
    input == null ? missing : input === broken ? notJson : notArray;
  return z.preprocess(
    (value) => (typeof value === 'string' ? parseJson(value) : value),
    // Not `z.array`, which copies a list of any length before it reports the first invalid id.
    z.custom<unknown[]>(Array.isArray, { error: notAList }).transform((ids, context) => {
      if (ids.length > postLimits.platforms) {
        context.addIssue({ code: 'custom', message: tooMany });
        return z.NEVER;
      }
      const wrong = ids.find((id) => typeof id !== 'string' || !splitPlatformId(id));
      if (wrong !== undefined) {
        const error = `Invalid platform ID format: ${typeof wrong === 'string' ? wrong : JSON.stringify(wrong)}`;
        context.addIssue({ code: 'custom', message: 'platform_id_invalid' satisfies ProblemKey, params: { error } });
      } else if (new Set(ids).size < ids.length) context.addIssue({ code: 'custom', message: duplicate });
      return ids as string[];
    }),
  );
}

const broken = Symbol('not JSON');

function parseJson(text: string): unknown {
  try {
    return parseSmallJson(text);
  } catch {
    return broken;
  }
}
