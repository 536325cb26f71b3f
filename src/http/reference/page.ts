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

/** The page of the API reference: a field for the key, and the place where Scalar draws the rest. */
export const referencePage = (assets: { scalar: string; script: string }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Crier API reference</title>
<link rel="icon" href="data:,">
<link rel="preload" href="/api/v1/openapi.json" as="fetch" crossorigin>
<script src="${assets.scalar}" defer></script>
<script src="${assets.script}" type="module"></script>
<style>
  :root { color-scheme: light dark; --scalar-custom-header-height: 3.25rem; --bar: #fff; --ink: #1b1b1b; --line: #ddd; }
  @media (prefers-color-scheme: dark) { :root { --bar: #0f0f0f; --ink: #e7e7e7; --line: #2d2d2d; } }
  .light-mode { --bar: #fff; --ink: #1b1b1b; --line: #ddd; }
  .dark-mode { --bar: #0f0f0f; --ink: #e7e7e7; --line: #2d2d2d; }
  body { margin: 0; font: 15px/1.5 system-ui, sans-serif; background: var(--bar); color: var(--ink); }
  header { position: sticky; top: 0; z-index: 20; height: 3.25rem; box-sizing: border-box; display: flex; gap: 1rem; align-items: center; padding: 0 1rem; background: var(--bar); color: var(--ink); border-bottom: 1px solid var(--line); }
  header a { color: inherit; font-weight: 700; text-decoration: none; }
  header form { display: flex; gap: .5rem; align-items: center; flex: 1; min-width: 0; justify-content: end; }
  header label { display: flex; gap: .5rem; align-items: center; flex: 0 1 22rem; min-width: 0; white-space: nowrap; }
  header input { flex: 1; min-width: 4rem; width: 100%; }
  header input, header button { font: inherit; padding: .25rem .6rem; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .4rem; }
  header button { cursor: pointer; white-space: nowrap; }
  header :focus-visible { outline: 2px solid #2a7de1; outline-offset: 1px; }
  output { font-size: .85rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  #opening { padding: 2rem 1rem; }
  @media (max-width: 640px) { header output, header label span { display: none; } header { gap: .5rem; } }
</style>
</head>
<body>
<header>
<a href="/">Crier</a>
<form id="key-form">
<output id="key-result"></output>
<label><span>API key</span> <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="sk_…" aria-label="API key for the examples"></label>
<button>Use in examples</button>
</form>
</header>
<div id="opening">Opening the reference. Without JavaScript, read <a href="/llms-full.txt">llms-full.txt</a>, which has the same content.</div>
<div id="reference"></div>
</body>
</html>
`;
