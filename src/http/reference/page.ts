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
  script: string;
  outline: string;
}

/** The page of the API reference: a field for the key, and what is there until Scalar has drawn the rest. */
export const referencePage = ({ scalar, script, outline }: Parts) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Crier API reference</title>
<link rel="icon" href="data:,">
<link rel="preload" href="/api/v1/openapi.json" as="fetch" crossorigin>
<link rel="preload" href="${scalar}" as="script">
<script src="${script}" type="module" data-scalar="${scalar}" id="start"></script>
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
  #opening { display: flex; font-size: 15px; line-height: 1.6; }
  #opening nav { flex: 0 0 287px; box-sizing: border-box; padding: 12px; border-right: 1px solid var(--line); font-size: 14px; line-height: 1.35; opacity: .8; }
  #opening nav p, #opening nav li { margin: 0; padding: 7px 8px; }
  #opening nav ul { list-style: none; margin: 0 0 0 8px; padding: 0 0 0 4px; border-left: 1px solid var(--line); }
  #opening nav li { display: flex; justify-content: space-between; gap: .5rem; }
  #opening nav b { font: 700 10px/1.6 monospace; }
  #opening nav .search { border: 1px solid var(--line); border-radius: 4px; margin-bottom: 12px; }
  #opening main { flex: 1; min-width: 0; max-width: 480px; padding: 80px 60px; }
  #opening main h1 { font-size: 24px; margin: 0 0 .3rem; }
  #opening a { color: inherit; }
  #opening nav a { text-decoration: none; }
  #opening nav .here { background: #8881; }
  #opening .badges { margin: 0; font-size: 13px; opacity: .7; }
  #opening code { font-size: 12px; }
  @media (max-width: 1000px) { #opening nav { display: none; } #opening main { max-width: none; padding: 80px 24px; } }
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
${outline}
<div id="reference"></div>
</body>
</html>
`;
