import { escapeHtml } from './escape.ts';

/** A complete page. `main` is HTML; all other values are text. */
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
 * The policy allows only the sandbox's own files and no inline code, so that a post that escapes the escaping still
 * cannot run. `form-action` is not restricted because browsers also apply it to the redirect after the consent form.
 */
export const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
