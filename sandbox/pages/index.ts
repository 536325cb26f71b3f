import type { IncomingMessage } from 'node:http';
import { file, type HttpResponse, html, redirect } from '../http/http-response.ts';
import type { Sandbox } from '../platform.ts';
import { assets } from './assets.ts';
import { feedPage } from './feed.ts';
import { homePage } from './home.ts';
import { messagePage } from './layout.ts';
import { mailPages } from './mail.ts';

const idleTypes = /^(image\/(?!svg)|video\/|audio\/)/;

/** The sandbox's own pages. Undefined leaves the request to a platform. */
export function createPages(sandbox: Sandbox) {
  return (request: IncomingMessage): HttpResponse | undefined => {
    const [path = '/'] = (request.url ?? '/').split('?');
    const knownTag = request.headers['if-none-match'];
    const [, first, second, ...rest] = path.split('/');
    if (first === '') return html(homePage(sandbox, request.headers.host ?? 'localhost'));
    if (first === 'favicon.ico') return redirect('/_assets/icon.svg');
    if (first === '_assets') return assets[second ?? ''] ?? notFoundPage();
    if (first === 'mail') return mailPages(sandbox, path.split('/').slice(2), knownTag) ?? notFoundPage();
    if (first === 'media') return mediaFile(sandbox, second ?? '');
    if (first !== 'feed' || rest.length > 0) return undefined;
    const platform = sandbox.platforms.find((candidate) => candidate.id === second);
    return platform ? feedPage(sandbox, platform, knownTag) : notFoundPage();
  };
}

/** The address contains the SHA-256 that the control API shows. */
function mediaFile(sandbox: Sandbox, sha256: string): HttpResponse {
  const media = sandbox.store.media.findByContent(sha256);
  if (!media) return notFoundPage();
  return file(sandbox.store.files.path(sha256), idleTypes.test(media.type) ? media.type : 'application/octet-stream');
}

function notFoundPage(): HttpResponse {
  return html(messagePage('Not found', 'This page does not exist in the sandbox.'), 404);
}
