import { empty, type HttpResponse, html } from '../http/http-response.ts';
import type { Sandbox } from '../platform.ts';
import type { Mail } from '../store/mails.ts';
import { escapeHtml, linkify } from './escape.ts';
import { plural } from './home.ts';
import { contentSecurityPolicy, layout } from './layout.ts';

/**
 * `/mail` is the list, `/mail/<id>` one mail, `/mail/<id>/html` the content of its frame. Undefined for any other path.
 */
export function mailPages(sandbox: Sandbox, path: readonly string[], knownTag?: string): HttpResponse | undefined {
  const [id, part, ...rest] = path;
  if (id === undefined) return mailList(sandbox, knownTag);
  const mail = /^\d{1,15}$/.test(id) ? sandbox.store.mails.find(Number(id)) : undefined;
  if (!mail || rest.length > 0 || (part !== undefined && part !== 'html')) return undefined;
  return part === 'html' ? mailFrame(mail) : mailPage(mail);
}

/** Like a feed, the list reloads itself every second. */
function mailList({ store }: Sandbox, knownTag: string | undefined): HttpResponse {
  const tag = `"${store.version()}"`;
  if (knownTag === tag) return empty(304, { etag: tag });
  const mails = store.mails.list().reverse();
  const page = layout({
    title: 'Mail · Crier sandbox',
    isLive: true,
    main: `<h1>Mail</h1>
<p class="lead">${mails.length === 0 ? 'Mail from Crier to its users is kept here. Nothing leaves this machine.' : `${plural(mails.length, 'mail')}, newest first`}</p>
${
  mails.length === 0
    ? '<p class="empty">There is no mail yet. New mail appears here automatically.</p>'
    : `<ul class="mails">${mails.map(listEntry).join('')}</ul>`
}`,
  });
  return html(page, 200, { etag: tag, 'cache-control': 'no-cache' });
}

const listEntry = ({ id, to, subject, receivedAt }: Mail) =>
  `<li><a class="card" href="/mail/${id}"><strong>${escapeHtml(subject)}</strong>
<span>To ${escapeHtml(to)} · ${time(receivedAt)}</span></a></li>`;

function mailPage({ id, to, from, subject, text, receivedAt }: Mail): HttpResponse {
  const page = layout({
    title: `${subject} · Crier sandbox`,
    main: `<p class="back"><a href="/mail">All mail</a></p>
<h1>${escapeHtml(subject)}</h1>
<dl class="headers"><dt>From</dt><dd>${escapeHtml(from)}</dd><dt>To</dt><dd>${escapeHtml(to)}</dd><dt>Sent</dt><dd>${time(receivedAt)}</dd></dl>
<iframe class="mail" title="The mail as HTML" src="/mail/${id}/html" sandbox="${frameRights}"></iframe>
<h2>Plain text</h2>
<pre class="plain" tabindex="0">${linkify(escapeHtml(text))}</pre>`,
  });
  return html(page, 200, { 'content-security-policy': `${contentSecurityPolicy}; frame-src 'self'` });
}

/** Links open in a separate tab as ordinary pages. Everything else is forbidden, above all scripts. */
const frameRights = 'allow-popups allow-popups-to-escape-sandbox';

function mailFrame(mail: Mail): HttpResponse {
  const page = mail.html.replace(/<head>/i, '<head><base target="_blank">');
  return html(page, 200, {
    'content-security-policy': `sandbox ${frameRights}; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'`,
  });
}

function time(at: number): string {
  const iso = new Date(at).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}
