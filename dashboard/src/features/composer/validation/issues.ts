import type { ValidationIssue, Warning } from '@crier/client';
import { platformName, platformOf, withPlainNames } from '../../../lib/platform-name.ts';

export interface Issue extends ValidationIssue {
  /** The other post that it refers to, if any. */
  readonly postGroupId?: string;
}

/** The service's issues as shown to users. Several channels of a network have the same ones. */
export const issuesOf = (found: readonly ValidationIssue[]): Issue[] => {
  const shown = found
    // A text that becomes a thread isn't too long: its counter shows the number of posts.
    .filter(({ code, severity }) => !(code === 'CONTENT_TOO_LONG' && severity === 'warning'))
    .map((issue) => ({ ...issue, message: withPlainNames(issue.message) }));
  return [
    ...new Map(shown.map((issue) => [JSON.stringify([issue.platform, issue.field, issue.message]), issue])).values(),
  ];
};

/** The same for warnings about the request, which have different codes. */
export function noticesOf(warnings: readonly Warning[]): Issue[] {
  const duplicates = warnings.filter(({ code }) => code === 'DUPLICATE_CONTENT');
  const others = warnings.filter((warning) => !duplicates.includes(warning));
  return [
    ...(duplicates.length > 0 ? [duplicateOf(duplicates)] : []),
    ...issuesOf(others.map(({ code, message }) => issue(code, message, 'warning'))),
  ];
}

export const issue = (code: string, message: string, severity: 'error' | 'warning'): ValidationIssue => ({
  platform: '',
  code,
  message,
  field: '',
  severity,
});

function duplicateOf(duplicates: readonly Warning[]): Issue {
  const names = [...new Set(duplicates.map(({ platformId }) => platformName(platformOf(String(platformId)))))];
  const they = names.length === 1 ? names[0] : 'they';
  const message = `The same text is already published or scheduled on ${new Intl.ListFormat('en-GB').format(names)}. Change it, or ${they} may reject the post.`;
  return { ...issue('DUPLICATE_CONTENT', message, 'warning'), postGroupId: String(duplicates[0]!.postGroupId) };
}
