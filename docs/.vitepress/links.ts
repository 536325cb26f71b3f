import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository and the site have the same pages, so links are written for the repository and translated for the site. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Pages outside of docs that the site shows too, by their name under /project. */
export const projectPages: Record<string, string> = {
  contributing: 'CONTRIBUTING.md',
  security: 'SECURITY.md',
  changelog: 'CHANGELOG.md',
  sandbox: 'sandbox/README.md',
  client: 'client/README.md',
};

const pageOf = new Map([
  ['README.md', '/'],
  ['docs/README.md', '/guides'],
  ['docs/decisions/README.md', '/decisions/'],
  ...Object.entries(projectPages).map(([name, file]): [string, string] => [file, `/project/${name}`]),
]);

/** Files that pages link to and that are no pages: the site has copies of them, by their path. */
export const linkedFiles = new Set<string>();

/** What a link of the file, which is named from the root of the repository, is on the site. */
export function siteLink(href: string, file: string): string {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = normalize(join(dirname(file), path));
  const end = anchor === undefined ? '' : `#${anchor}`;
  const page = pageOf.get(target);
  if (page) return `${page}${end}`;
  if (target.startsWith('docs/')) return href;
  linkedFiles.add(target);
  return `/repository/${target}`;
}

/** Text of a file as a page in docs/project, with links that start there. */
export const movedToProject = (text: string, file: string) =>
  text.replace(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_link, href: string) => {
    const [path = '', anchor] = href.split('#');
    const moved = relative('docs/project', join(dirname(file), path));
    return `](${moved}${anchor === undefined ? '' : `#${anchor}`})`;
  });
