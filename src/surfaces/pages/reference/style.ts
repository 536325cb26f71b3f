import { fontFaces } from '../../../foundation/http/answers/html-page.ts';

/** Scalar in the dashboard's colours (dashboard/src/lib/palette.ts) and typefaces. */
export const referenceStyle = `
  ${fontFaces.join('\n  ')}
  @font-face { font-family: 'Besley Variable'; font-weight: 400 900; font-display: swap; src: url(/fonts/besley-latin.woff2) format('woff2') }
  :root {
    --scalar-custom-header-height: 3.25rem; --scalar-font: 'Inter Variable', system-ui, sans-serif;
    --scalar-radius: 8px; --scalar-radius-lg: 8px; --scalar-radius-xl: 12px;
  }
  .light-mode {
    --scalar-background-1: #fff; --scalar-background-2: #f6f8fc; --scalar-background-3: #e6e9f0;
    --scalar-color-1: #1d2334; --scalar-color-2: #575d6e; --scalar-color-3: #6e7483;
    --scalar-color-accent: #3051c1; --scalar-background-accent: #f0f5ff; --scalar-border-color: #dadee7;
    --scalar-button-1: #3051c1; --scalar-button-1-hover: #2540a1; --scalar-button-1-color: #fff;
    --chrome: #f2f4f9; --button: #3051c1;
  }
  .dark-mode {
    --scalar-background-1: #151a2a; --scalar-background-2: #1a2031; --scalar-background-3: #2b3246;
    --scalar-color-1: #eef0f6; --scalar-color-2: #bdc2d0; --scalar-color-3: #979eb0;
    --scalar-color-accent: #9cb9ff; --scalar-background-accent: #1f2a4d; --scalar-border-color: #3b4357;
    --scalar-button-1: #4267df; --scalar-button-1-hover: #3051c1; --scalar-button-1-color: #fff;
    --chrome: #0c111f; --button: #4267df;
  }
  .light-mode, .dark-mode { --scalar-sidebar-background-1: var(--chrome); --scalar-sidebar-item-active-background: var(--scalar-background-3) }
  html:has(> .dark-mode) { color-scheme: dark }
  body { margin: 0 }
  body > header {
    position: sticky; top: 0; z-index: 100; box-sizing: border-box; height: 3.25rem; padding: 0 3.5rem 0 1rem;
    display: flex; align-items: center; gap: 1.25rem; font: 500 .875rem var(--scalar-font);
    color: var(--scalar-color-2); background: var(--chrome); border-bottom: 1px solid var(--scalar-border-color);
  }
  body > header a { color: inherit; text-decoration: none }
  body > header a:hover, body > header [aria-current] { color: var(--scalar-color-1) }
  body > header a:first-child { display: flex; align-items: center; gap: .6rem; color: var(--scalar-color-1); font: 600 1.125rem 'Besley Variable', Georgia, serif }
  body > header [aria-current] { text-decoration: underline; text-underline-offset: .4em }
  body > header [role=status] { margin-left: auto; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
  body > header button, dialog button {
    min-height: 2.25rem; padding: 0 .9rem; border: 1px solid var(--scalar-border-color); border-radius: 8px;
    color: var(--scalar-color-1); background: transparent; font: 500 .875rem var(--scalar-font); white-space: nowrap; cursor: pointer;
  }
  body > header button:hover, dialog button:hover { background: var(--scalar-background-3) }
  body > header button:disabled { opacity: .6; cursor: default }
  dialog {
    box-sizing: border-box; width: min(28rem, calc(100vw - 2rem)); padding: 1.5rem; border: 1px solid var(--scalar-border-color); border-radius: 12px;
    color: var(--scalar-color-1); background: var(--scalar-background-1); font: .9375rem/1.5 var(--scalar-font);
  }
  dialog::backdrop { background: rgb(6 10 21 / 60%) }
  dialog h2 { margin: 0 0 .5rem; font: 600 1.125rem/1.3 'Besley Variable', Georgia, serif }
  dialog p { margin: 0 0 1.25rem; color: var(--scalar-color-2) }
  dialog form { display: flex; justify-content: flex-end; gap: .75rem }
  dialog [value=yes], dialog [value=yes]:hover { border-color: transparent; color: #fff; background: var(--button) }
  :is(header, dialog) :focus-visible { outline: 2px solid var(--scalar-color-accent); outline-offset: 2px }
  section[tabindex='-1']:focus-visible { outline: none }
  h1, h2.section-header-label, .section-header { font-family: 'Besley Variable', Georgia, serif }
  @media (max-width: 40rem) {
    body > header { gap: .9rem; padding-right: 1rem }
    body > header a:first-child span, body > header button span { display: none }
    body > header [role=status]:not(:empty) { position: absolute; top: 100%; left: 0; right: 0; padding: .5rem 1rem; background: var(--chrome); white-space: normal }
    body > header button { margin-left: auto }
  }
`;
