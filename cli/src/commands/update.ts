import type { AddCommand, Context } from '../context.ts';
import { wrongUse } from '../failures.ts';
import { postIdOf } from '../post-id.ts';
import { postLines } from '../present-post.ts';
import { asThread, readText } from '../read-text.ts';
import { findTargets } from '../targets.ts';
import { whenOf } from './post.ts';

interface UpdateOptions {
  file?: string;
  to?: string[];
  at?: string;
  tz?: string;
  now?: boolean;
  draft?: boolean;
  thread?: boolean;
  comment?: string[];
  label?: string[];
}

export const addUpdate: AddCommand = (program, act) => {
  program
    .command('update')
    .description('change a draft or a scheduled post')
    .argument('<id>', 'id of the post, from crier list')
    .argument('[text]', 'the new text; - reads standard input')
    .option('-f, --file <file>', 'read the new text from a file')
    .option('-t, --to <accounts>', 'the new accounts', (value, before: string[] = []) => [...before, value])
    .option('--at <time>', 'the new time, or next-slot; also schedules a draft')
    .option('--tz <zone>', 'time zone of --at (default: local)')
    .option('--now', 'publish it now')
    .option('--draft', 'pause it')
    .option('--thread', 'make the new text a thread')
    .option('-c, --comment <texts...>', 'the new first comments')
    .option('--label <names...>', 'the new labels; also for a published post')
    .addHelpText(
      'after',
      '\nExamples:\n  crier update 019a86c2f4b07d3e5f8a9b0c "A better text"\n  crier update 019a86c2f4b07d3e5f8a9b0c --at "friday 14:00"',
    )
    .action(
      act(async (context: Context, id: string, given: string | undefined, options: UpdateOptions) => {
        const postGroupId = postIdOf(id);
        const { at, now, draft, to, comment, label, thread, file } = options;
        if (now && (at || draft)) throw wrongUse('--now cannot be combined with --at or --draft.');
        const when = at || now || draft ? whenOf(context, options) : {};
        const content = await readText(given, file);
        const crier = await context.service();
        const change = {
          ...when,
          ...(content !== null && { content: thread ? asThread(content) : content }),
          ...(to && { platforms: findTargets(to, (await crier.listConnections()).connections) }),
          ...(label && { labels: label }),
          ...(comment && { firstComments: comment.map((text) => ({ text })) }),
        };
        if (Object.keys(change).length === 0) throw wrongUse('Nothing to change.');
        await crier.updatePost({ postGroupId, ...change });
        const post = await crier.getPost({ postGroupId });
        context.show(post, postLines(post, context.out.paint, context.moment(options.tz).timeZone));
      }),
    );
};
