import type { Crier, PlatformLimits, ValidationIssue } from '@crier/client';
import type { Context } from './context.ts';
import { CommandError, issueLine } from './failures.ts';
import { describeFile, fileIssues, isVideo } from './file-issues.ts';
import { inspectFiles, type LocalFile } from './local-files.ts';
import { filesOf, type NewPost, namesOf, requestOf } from './send-post.ts';
import { platformOf } from './targets.ts';

/** Shows what each network would do with a post and its files. Sends and stores nothing. */
export async function dryRun({ show, out: { paint } }: Context, crier: Crier, post: NewPost): Promise<void> {
  const files = await inspectFiles(namesOf(filesOf(post)));
  const [{ validation }, limits] = await Promise.all([crier.validatePost(requestOf(post)), limitsFor(crier, files)]);
  const platforms = [...new Set(post.platforms.map((platformId) => platformOf({ platformId })))];
  const results = platforms.map((platform) => {
    const ofFiles = limits[platform] ? fileIssues(limits[platform], files) : [];
    const said = [...validation.errors, ...validation.warnings].filter((issue) => issue.platform === platform);
    const issues = [...said.filter((issue) => !isMet(issue, files)), ...ofFiles];
    const errors = issues.filter(({ severity }) => severity === 'error');
    const warnings = issues.filter(({ severity }) => severity === 'warning');
    return { platform, valid: errors.length === 0, errors, warnings };
  });
  const data = { dryRun: true, valid: results.every(({ valid }) => valid), results, files };
  const lines = results.flatMap(({ platform, valid, warnings }) => [
    ...(valid ? [`${paint.green('✓')} ${platform}: ok`] : []),
    ...warnings.map((issue) => `  ${paint.yellow('!')} ${issueLine(issue)}`),
  ]);
  if (!data.valid) throw refused(data, [...lines, ...results.flatMap(({ errors }) => errors.map(issueLine))]);
  show(data, [...lines, ...files.map(aboutFile), 'Nothing was sent.']);
}

/** Fetched only if there are files to check. */
async function limitsFor(crier: Crier, files: readonly LocalFile[]): Promise<Record<string, PlatformLimits>> {
  return files.length > 0 ? (await crier.getPlatformLimits()).platforms : {};
}

/** The service does not know about files that are not uploaded yet. */
function isMet({ code }: ValidationIssue, files: readonly LocalFile[]): boolean {
  if (code === 'VIDEO_REQUIRED') return files.some(isVideo);
  return code === 'MEDIA_REQUIRED' && files.length > 0;
}

const aboutFile = (file: LocalFile) =>
  `  ${describeFile(file)}${isVideo(file) ? ': its duration and dimensions are checked when it is uploaded' : ''}`;

const refused = (data: object, lines: readonly string[]) =>
  new CommandError('refused', 'The post would be rejected. Nothing was sent.', {
    code: 'VALIDATION_FAILED',
    data,
    lines,
  });
