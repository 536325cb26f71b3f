import type { CompleteMediaResult } from '@crier/client';
import type { AddCommand, Context } from '../context.ts';
import { postIdOf } from '../post-id.ts';
import { requireFiles, uploadFile } from '../send-post.ts';

export const addUpload: AddCommand = (program, act) => {
  program
    .command('upload')
    .description('add images or videos to a draft; a scheduled post becomes a draft again')
    .argument('<files...>', 'the files')
    .requiredOption('-p, --post <id>', 'the post, as crier list shows it')
    .addHelpText('after', '\nExamples:\n  crier upload photo.jpg clip.mp4 --post 019a86c2f4b07d3e5f8a9b0c')
    .action(
      act(async ({ service, show, out }: Context, files: string[], { post }: { post: string }) => {
        const postGroupId = postIdOf(post);
        await requireFiles(files);
        const crier = await service();
        const media: CompleteMediaResult['mediaFile'][] = [];
        for (const file of files) media.push(await uploadFile(crier, file, postGroupId, out));
        show({ postGroupId, media }, [
          `${out.paint.green('✓')} Uploaded: ${files.join(', ')}`,
          `Send the post with: crier update ${postGroupId} --now`,
        ]);
      }),
    );
};
