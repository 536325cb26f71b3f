import { parseUrl } from '../../foundation/lib/parse-url.ts';
import { escapeHtml } from '../../foundation/text/escape-html.ts';
import type { MailContent } from './content.ts';

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

const maxSubjectLength = 150;

/**
 * The content includes names of accounts, webhooks and people, so every text is reduced to one line without control
 * characters.
 */
export function renderMail(content: MailContent, { publicUrl }: { publicUrl: string }): RenderedMail {
  const safe: MailContent = {
    subject: cut(oneLine(content.subject)),
    heading: oneLine(content.heading),
    paragraphs: content.paragraphs.map(oneLine),
    links: content.links.flatMap(({ label, url }) => {
      const href = webAddress(url);
      return href === null ? [] : [{ label: oneLine(label), url: href }];
    }),
    smallPrint: [...content.smallPrint.map(oneLine), `Sent by Crier at ${oneLine(publicUrl)}`],
  };
  return { subject: safe.subject, text: plainText(safe), html: page(safe) };
}

/**
 * Line breaks would start a new header, and invisible characters that change the text direction could disguise an
 * address.
 */
const oneLine = (text: string) => text.replace(breaks, ' ').replace(invisible, '').trim();
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const invisible = /[\u200E\u200F\u202A-\u202E\u2066-\u2069\p{Cs}]/gu;

const cut = (text: string) =>
  text.length <= maxSubjectLength ? text : `${text.slice(0, maxSubjectLength - 1).toWellFormed()}…`;

function webAddress(text: string): string | null {
  const url = parseUrl(text);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** The small print follows the line that mail clients recognize as the start of a signature. */
function plainText({ heading, paragraphs, links, smallPrint }: MailContent): string {
  const addresses = links.map(({ label, url }) => `${label}:\n${url}`);
  return `${[heading, ...paragraphs, ...addresses].join('\n\n')}\n\n-- \n${smallPrint.join('\n')}\n`;
}

/** Only inline styles work everywhere. The style sheet adds dark mode for clients that support it. */
function page({ subject, heading, paragraphs, links, smallPrint }: MailContent): string {
  const [button, ...others] = links;
  const body = [
    `<h1 class="text" style="margin:0 0 16px;font-size:22px;line-height:1.3;color:#1b1f27">${escapeHtml(heading)}</h1>`,
    ...paragraphs.map((text) => `<p class="text" style="margin:0 0 16px;color:#1b1f27">${escapeHtml(text)}</p>`),
    ...(button ? [buttonLink(button)] : []),
    ...others.map((link) => `<p style="margin:0 0 16px">${textLink(link)}</p>`),
    ...(button
      ? [smallLine(`If the button does not work, open this address:<br>${textLink({ ...button, label: button.url })}`)]
      : []),
    '<hr class="line" style="border:0;border-top:1px solid #dfe2e8;margin:24px 0 16px">',
    ...smallPrint.map((text) => smallLine(escapeHtml(text))),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${darkMode}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f5f8">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid #dfe2e8;border-radius:12px"><tr><td style="padding:24px;text-align:left;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px;line-height:1.5;overflow-wrap:anywhere;word-break:break-word">
${body.join('\n')}
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

const darkMode = `:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #14161b !important; }
  .card { background: #1d2027 !important; border-color: #333843 !important; }
  .text { color: #e8eaee !important; }
  .quiet { color: #9aa3b2 !important; }
  .link { color: #9db2ff !important; }
  .line { border-color: #333843 !important; }
}`;

type Link = MailContent['links'][number];

const buttonLink = ({ label, url }: Link) =>
  `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 22px;background:#3b5bdb;color:#ffffff;border-radius:8px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`;

const textLink = ({ label, url }: Link) =>
  `<a class="link" href="${escapeHtml(url)}" style="color:#2f4ac0">${escapeHtml(label)}</a>`;

const smallLine = (html: string) => `<p class="quiet" style="margin:0 0 8px;font-size:13px;color:#5b6472">${html}</p>`;
