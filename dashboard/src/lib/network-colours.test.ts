import { expect, test } from 'vitest';
import { networkColour } from './network-colours.ts';
import { dark } from './palette.ts';
import { platformNames } from './platform-names.gen.ts';

const white = '#ffffff';

test.each(Object.keys(platformNames))(
  'white on the colour of %s, and the colour on the page, have enough contrast',
  (platform) => {
    const [onLight, onDark = onLight] = networkColour(platform).match(/#[0-9a-f]{6}/g)!;
    for (const [one, other] of [
      [white, onLight!],
      [white, onDark!],
      [onDark!, dark[7]],
    ] as const)
      expect(contrast(one, other)).toBeGreaterThanOrEqual(3);
  },
);

/** WCAG 1.4.11. */
function contrast(one: string, other: string): number {
  const [lower, higher] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (higher! + 0.05) / (lower! + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
