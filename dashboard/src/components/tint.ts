/** Text and background in one of Mantine's colours, with enough contrast for small text in both themes. */
export const tintOf = (color: string) => ({
  c: `light-dark(color-mix(in srgb, var(--mantine-color-${color}-9) 70%, black), var(--mantine-color-${color}-2))`,
  // Opaque, so that it also stands out on a selected row.
  bg: `light-dark(var(--mantine-color-${color}-1), color-mix(in srgb, var(--mantine-color-${color}-9) 45%, black))`,
});
