import type { MantineColorsTuple } from '@mantine/core';

/** Royal blue, the accent. It replaces Mantine's indigo. */
export const indigo: MantineColorsTuple = [
  '#f0f5ff',
  '#dde8ff',
  '#c1d4ff',
  '#9cb9ff',
  '#7a9df9',
  '#597fee',
  '#4267df',
  '#3051c1',
  '#2540a1',
  '#1a2f7a',
];

/** Greys with the hue of the accent. */
export const gray: MantineColorsTuple = [
  '#f9fafd',
  '#f2f4f9',
  '#e6e9f0',
  '#dadee7',
  '#c9ced9',
  '#a8aebb',
  '#6e7483',
  '#575d6e',
  '#363d4d',
  '#1d2334',
];

/** The dark theme, from text (0) to the deepest surface (9): blue-black with bright text. */
export const dark: MantineColorsTuple = [
  '#eef0f6',
  '#bdc2d0',
  '#979eb0',
  '#636b80',
  '#3b4357',
  '#2b3246',
  '#1f2537',
  '#151a2a',
  '#0c111f',
  '#060a15',
];
