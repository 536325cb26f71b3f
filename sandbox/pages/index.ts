import type { IncomingMessage } from 'node:http';
import { type Answer, file, html, redirect } from '../answer.ts';
import type { Sandbox } from '../sandbox.ts';
import { assets } from './assets.ts';
import { feedPage } from './feed.ts';
import { homePage } from './home.ts';
import { messagePage } from './layout.ts';

const idleTypes = /^(image\/(?!svg)|video\/|audio\/)/;

/** The sandbox's own pages; undefined leaves the address to a network. */
export function createPages(sandbox: Sandbox) {
  return (request: IncomingMessage): Answer | undefined => {
    const [path = '/'] = (request.url ?? '/').split('?');
    const [, first, second, ...rest] = path.split('/');
    if (first === '') return html(homePage(sandbox, request.headers.host ?? 'localhost'));
    if (first === 'favicon.ico') return redirect('/_assets/icon.svg');
    if (first === '_assets') return assets[second ?? ''] ?? missing();
    if (first === 'media') return mediaFile(sandbox, second ?? '');
    if (first !== 'feed' || rest.length > 0) return undefined;
    const network = sandbox.networks.find((candidate) => candidate.id === second);
    return network ? feedPage(sandbox, network, request.headers['if-none-match']) : missing();
  };
}

/** By SHA-256 of the bytes, as the control API names them. */
function mediaFile(sandbox: Sandbox, sha256: string): Answer {
  const media = sandbox.store.media.findByContent(sha256);
  if (!media) return missing();
  return file(sandbox.store.files.path(sha256), idleTypes.test(media.type) ? media.type : 'application/octet-stream');
}

function missing(): Answer {
  return html(messagePage('Not found', 'The sandbox has no such page.'), 404);
}
