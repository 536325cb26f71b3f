import { Anchor, type CSSVariablesResolver, createTheme, Modal } from '@mantine/core';

/** One accent colour and one typeface. */
export const theme = createTheme({
  primaryColor: 'indigo',
  // Light enough letters on it need this shade in the dark, too.
  primaryShade: 7,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif", fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A link in a text must differ by more than its colour.
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    },
    // The header of a dialog is not that of the page.
    Modal: Modal.extend({
      defaultProps: { attributes: { header: { role: 'presentation' } }, closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontWeight: 600, lineHeight: 1.4 } },
    }),
  },
});

/** Mantine's own greys, and the letters on its light colours, are too faint for small text (WCAG 1.4.3). */
export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-orange-light-color': '#9a3a05',
    '--mantine-color-green-light-color': '#1e6b2e',
    '--mantine-color-red-light-color': '#b32424',
  },
  dark: { '--mantine-color-dimmed': colors.dark[1] },
});
