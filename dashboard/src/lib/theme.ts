import { Anchor, type CSSVariablesResolver, createTheme, Drawer, Input, Modal } from '@mantine/core';

/** One accent colour and one typeface. */
export const theme = createTheme({
  primaryColor: 'indigo',
  // White text needs this shade for contrast in dark mode, too.
  primaryShade: 7,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif", fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Links in text must differ by more than colour.
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    // Render options only when opened: there are hundreds of time zones and maybe channels.
    Combobox: { defaultProps: { keepMounted: false } },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    },
    // Without "password", so that only the field itself matches the label "Password".
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show typed text' } },
    },
    // Most fields are required, so optional ones say so instead.
    InputWrapper: Input.Wrapper.extend({ defaultProps: { withAsterisk: false } }),
    // A dialog's header isn't a landmark.
    Modal: Modal.extend({
      defaultProps: {
        attributes: { header: { role: 'presentation' } },
        closeButtonProps: { 'aria-label': 'Close' },
        centered: true,
        radius: 'lg',
      },
      styles: { title: { fontWeight: 600, lineHeight: 1.4 } },
    }),
    Drawer: Drawer.extend({
      defaultProps: { attributes: { header: { role: 'presentation' } }, closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontWeight: 600 } },
    }),
  },
});

const quietColors = ['blue', 'gray', 'green', 'indigo', 'orange', 'red', 'teal', 'yellow'] as const;

/**
 * Mantine's greys, and text on its light colours, have too little contrast for small text (WCAG 1.4.3). Its light colours are too
 * strong for pages with several notes.
 */
export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': '#6c757d',
    '--mantine-color-error': '#b32424',
    ...ofColors((name) => ({ light: colors[name][0], 'light-hover': colors[name][1] })),
    '--mantine-color-orange-light-color': '#9a3a05',
    '--mantine-color-green-light-color': '#1e6b2e',
    '--mantine-color-red-light-color': '#b32424',
    '--mantine-color-yellow-light-color': '#7a4a00',
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': '#999999',
    '--mantine-color-error': colors.red[4],
    ...ofColors((name) => ({
      light: `color-mix(in srgb, ${colors[name][8]} 20%, ${colors.dark[7]})`,
      'light-hover': `color-mix(in srgb, ${colors[name][8]} 30%, ${colors.dark[7]})`,
      'light-color': colors[name][2],
    })),
  },
});

const ofColors = (shades: (name: (typeof quietColors)[number]) => Record<string, string>) =>
  Object.fromEntries(
    quietColors.flatMap((name) =>
      Object.entries(shades(name)).map(([shade, value]) => [`--mantine-color-${name}-${shade}`, value]),
    ),
  );
