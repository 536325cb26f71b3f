/** Nothing is loaded from elsewhere. Scalar writes its styles into the page, and its icons are data. */
export const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

interface Parts {
  scalar: string;
  /** Where the OpenAPI document is that the page shows. */
  document: string;
  /** The first one starts the page. */
  modules: readonly string[];
  style: string;
  body: string;
}

/** The page of the API reference: all operations, a field for the key, and a place where Scalar lets the reader try one. */
export const referencePage = ({ scalar, document, modules, style, body }: Parts) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Crier API reference</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<link rel="preload" href="${document}" as="fetch" crossorigin>
${modules.map((address) => `<link rel="modulepreload" href="${address}">`).join('\n')}
<script src="${modules[0]}" type="module" data-scalar="${scalar}" data-document="${document}" id="start"></script>
</head>
<body>
<header>
<button id="menu-button" type="button" aria-label="Menu" aria-controls="menu">☰</button>
<a href="/">Crier</a>
<form id="key-form">
<output id="key-result"></output>
<label><span>API key</span> <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="sk_…" aria-label="API key for the examples"></label>
<button>Use in examples</button>
</form>
<button id="theme" type="button" aria-label="Light or dark">◐</button>
</header>
<noscript><p>Search, code examples and trying things need JavaScript. <a href="/llms-full.txt">llms-full.txt</a> has everything as text.</p></noscript>
${body}
<div id="trial" hidden>
<p><button id="back" type="button">← Back to the reference</button> <span id="opening" role="status"></span></p>
<div id="reference"></div>
</div>
</body>
</html>
`;
