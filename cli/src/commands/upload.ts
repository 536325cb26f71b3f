import type { CompleteMediaResult } from '@crier/client';
import type { AddCommand, Context } from '../context.ts';
import { inspectFiles } from '../local-files.ts';
import { postIdOf } from '../post-id.ts';
import { uploadFile, withAltTexts } from '../send-post.ts';

interface UploadOptions {
  post: string;
  alt?: string[];
}

export const addUpload: AddCommand = (program, act) => {
  program
    .command('upload')
    .description('add images or videos to a post; a scheduled post becomes a draft')
    .argument('<files...>', 'the files')
    .requiredOption('-p, --post <id>', 'id of the post, from crier list')
    .option('--alt <texts...>', 'alt text of each file, in order, for people who cannot see it; "" for none')
    .addHelpText('after', '\nExamples:\n  crier upload photo.jpg clip.mp4 --post 019a86c2f4b07d3e5f8a9b0c')
    .action(
      act(async ({ service, show, out }: Context, files: string[], { post, alt = [] }: UploadOptions) => {
        const postGroupId = postIdOf(post);
        const items = withAltTexts(files, alt);
        await inspectFiles(files);
        const crier = await service();
        const media: CompleteMediaResult['mediaFile'][] = [];
        for (const item of items) media.push(await uploadFile(crier, item, postGroupId, out));
        show({ postGroupId, media }, [
          `${out.paint.green('✓')} Uploaded: ${files.join(', ')}`,
          `To publish the post, run: crier update ${postGroupId} --now`,
        ]);
      }),
    );
};
