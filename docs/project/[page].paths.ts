import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { movedToProject, projectPages, root } from '../.vitepress/links.ts';

/** Pages of the repository that are outside of docs. */
export default {
  watch: Object.values(projectPages).map((file) => `../../${file}`),
  paths: () =>
    Object.entries(projectPages).map(([page, file]) => ({
      params: { page },
      content: movedToProject(readFileSync(join(root, file), 'utf8'), file),
    })),
};
