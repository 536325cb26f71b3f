import type { Crier } from '@crier/client';
import type { AddCommand, Context } from '../context.ts';
import { dryRun } from '../dry-run.ts';
import { wrongUse } from '../failures.ts';
import { plain } from '../output.ts';
import { showWhenPublished } from '../present-post.ts';
import { asThread, readTextOrPipe } from '../read-text.ts';
import { type NewPost, nextSlot, sendPost, type When, withAltTexts } from '../send-post.ts';
import { findTargets, platformOf } from '../targets.ts';
import { showTime } from '../time-zone.ts';
import { parseTime, TimeError } from '../times.ts';

interface PostOptions {
  file?: string;
  to: string[];
  at?: string;
  tz?: string;
  draft?: boolean;
  media?: string[];
  alt?: string[];
  thread?: boolean;
  comment?: string[];
  label?: string[];
  wait?: boolean;
  dryRun?: boolean;
}

const collect = (value: string, before: string[] = []) => [...before, value];

export const addPost: AddCommand = (program, act) => {
  program
    .command('post')
    .description('publish a post now, or schedule it with --at')
    .argument('[text]', 'the text; - or a pipe reads standard input')
    .option('-f, --file <file>', 'read the text from a file')
    .requiredOption('-t, --to <accounts>', 'networks, handles or ids, separated by commas; or all', collect)
    .option('--at <time>', 'time: "tomorrow 9:00", "in 2 hours", "friday 14:00", next-slot, or a date and time')
    .option('--tz <zone>', 'time zone of --at (default: local)')
    .option('--draft', 'store it as a draft')
    .option('-m, --media <files...>', 'images and videos, as files or https URLs')
    .option('--alt <texts...>', 'alt text of each file, in order, for people who cannot see it; "" for none')
    .option('--thread', 'make a thread: split the text at lines with ---, or at empty lines if there are none')
    .option('-c, --comment <texts...>', 'first comments, in this order')
    .option('--label <names...>', 'labels, which help you find the post and are never published')
    .option('-w, --wait', 'wait until it is published on every network; exit code 1 if one fails')
    .option('--dry-run', 'send nothing; show whether each network would accept the text and the files')
    .addHelpText('after', examples)
    .action(
      act(async (context: Context, text: string | undefined, options: PostOptions) => {
        const when = whenOf(context, options);
        const content = await readTextOrPipe(text, options.file);
        const crier = await context.service();
        const { connections } = await crier.listConnections();
        const post: NewPost = {
          content: options.thread ? asThread(content) : content,
          platforms: findTargets(options.to, connections),
          when,
          comments: options.comment ?? [],
          media: withAltTexts(options.media ?? [], options.alt ?? []),
          labels: options.label ?? [],
        };
        if (options.dryRun) return dryRun(context, crier, post);
        const postGroupId = await sendPost(crier, post, context.out);
        await report(context, crier, postGroupId, { ...options, networks: networksOf(post.platforms) });
      }),
    );
};

const examples = `
Examples:
  crier post "We are live." --to mastodon,bluesky
  crier post "Look at this" --to all --media photo.jpg clip.mp4 --wait
  crier post "At sea" --to all --media dawn.jpg --alt "The harbour at dawn"
  crier post --file notes.md --to @ada --at "tomorrow 9:00" --tz Europe/Berlin
  git log -1 --format=%B | crier post --to x --thread
  crier post "Read on below" --to linkedin --comment "https://example.com" --dry-run`;

export function whenOf(context: Context, { at, tz, draft }: Pick<PostOptions, 'at' | 'tz' | 'draft'>): When {
  if (at === undefined) return draft ? { status: 'draft' } : { publishNow: true };
  if (draft) throw wrongUse('A draft has no time: omit --draft or --at.');
  if (at === nextSlot) return { scheduledTime: nextSlot, status: 'scheduled' };
  try {
    return { scheduledTime: parseTime(at, context.moment(tz)).toISOString(), status: 'scheduled' };
  } catch (error) {
    throw error instanceof TimeError ? wrongUse(error.message) : error;
  }
}

/** By name, or by id if a network has several accounts. */
function networksOf(platformIds: readonly string[]): string {
  const all = platformIds.map((platformId) => platformOf({ platformId }));
  const isOne = (network: string) => all.filter((other) => other === network).length === 1;
  return platformIds.map((id, index) => (isOne(all[index]!) ? all[index] : id)).join(', ');
}

interface Reported extends PostOptions {
  networks: string;
}

/** Shows the stored post, or with `--wait` the result. */
async function report(context: Context, crier: Crier, postGroupId: string, options: Reported) {
  const { wait, draft, at, tz, networks } = options;
  const { paint } = context.out;
  const { timeZone } = context.moment(tz);
  const post = await crier.getPost({ postGroupId });
  if (!wait || draft) {
    const later = `Scheduled for ${networks} ${showTime(timeZone, post.scheduledTime)} (${timeZone})`;
    const about = draft ? `Stored as a draft for ${networks}` : at ? later : `Publishing to ${networks}`;
    context.show(post, [`${paint.green('✓')} ${plain(about)}: ${paint.bold(postGroupId)}`]);
    return;
  }
  const dueMs = post.scheduledTime ? Date.parse(post.scheduledTime) - Date.now() : 0;
  await showWhenPublished(context, crier, postGroupId, Math.max(0, dueMs));
}
