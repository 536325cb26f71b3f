import { escapeHtml } from './escape.ts';

/** A whole page. `main` is HTML; everything else is text. */
export function layout({ title, main, isLive = false }: { title: string; main: string; isLive?: boolean }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/_assets/icon.svg">
<link rel="stylesheet" href="/_assets/style.css">
${isLive ? '<script src="/_assets/live.js" defer></script>' : ''}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top"><a class="brand" href="/">Crier <span>sandbox</span></a></header>
<main id="main" tabindex="-1">${main}</main>
</body>
</html>`;
}

export function messagePage(title: string, text: string): string {
  return layout({
    title,
    main: `<section class="card"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></section>`,
  });
}

/**
 * Nothing but our own files, and no inline code: a post that slips through the escaping still cannot run.
 * `form-action` stays open because browsers apply it to the redirect that follows the consent form, too.
 */
export const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
