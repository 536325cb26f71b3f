import { Anchor, Badge, type CSSVariablesResolver, createTheme, Drawer, Input, Modal } from '@mantine/core';
import { dark, gray, indigo } from './palette.ts';

const textFont = "'Inter Variable', system-ui, sans-serif";

/** One accent colour, one typeface for text and one for headings. */
export const theme = createTheme({
  primaryColor: 'indigo',
  // White text needs this shade for contrast in dark mode, too.
  primaryShade: 7,
  colors: { indigo, gray, dark },
  black: gray[9],
  fontFamily: textFont,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.5' },
  headings: {
    fontFamily: `'Besley Variable', 'Besley Fallback', ${textFont}`,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.375rem', lineHeight: '1.3' },
      h3: { fontSize: '1.125rem', lineHeight: '1.35' },
      h4: { fontSize: '1rem', lineHeight: '1.4' },
      h5: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h6: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '1.75rem' },
  defaultRadius: 'md',
  shadows: {
    xs: '0 1px 2px rgb(12 17 42 / 10%)',
    sm: '0 1px 2px rgb(12 17 42 / 8%), 0 4px 12px -4px rgb(12 17 42 / 12%)',
    md: '0 1px 2px rgb(12 17 42 / 8%), 0 8px 24px -6px rgb(12 17 42 / 16%)',
    lg: '0 2px 4px rgb(12 17 42 / 8%), 0 16px 36px -8px rgb(12 17 42 / 20%)',
    xl: '0 2px 6px rgb(12 17 42 / 10%), 0 24px 56px -12px rgb(12 17 42 / 28%)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Links in text must differ by more than colour.
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    Badge: Badge.extend({ styles: { root: { textTransform: 'none' } } }),
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
        transitionProps: { duration: 160 },
      },
    }),
    Drawer: Drawer.extend({
      defaultProps: {
        attributes: { header: { role: 'presentation' } },
        closeButtonProps: { 'aria-label': 'Close' },
        transitionProps: { duration: 160 },
      },
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
    '--mantine-color-default-border': colors.gray[3],
    '--mantine-color-placeholder': colors.gray[6],
    '--mantine-color-error': '#b32424',
    ...ofColors((name) => ({ light: colors[name][0], 'light-hover': colors[name][1] })),
    '--mantine-color-orange-light-color': '#9a3a05',
    '--mantine-color-green-light-color': '#1e6b2e',
    '--mantine-color-red-light-color': '#b32424',
    '--mantine-color-yellow-light-color': '#7a4a00',
  },
  dark: {
    '--mantine-color-text': colors.dark[0],
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-default-border': colors.dark[5],
    '--mantine-color-placeholder': colors.dark[2],
    '--mantine-color-error': colors.red[4],
    // The shade of the light theme is too dull on blue-black.
    '--mantine-color-indigo-filled': colors.indigo[6],
    '--mantine-color-indigo-filled-hover': colors.indigo[7],
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
