import type { PlatformLimits } from '@crier/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countedBy, countHere } from '../dashboard/src/features/composer/text/counted.ts';
import { platformLimits } from '../src/features/connections/platform-limits.ts';
import { finish } from '../src/foundation/text/in-turns.ts';
import { measureText } from '../src/foundation/text/measure-text.ts';
import { descriptions } from '../src/platforms/descriptions.ts';

describe('a counter in the composer', () => {
  const pieces = ['word ', '👩‍👩‍👧 ', '日本', 'https://example.com/a ', '@ann@host.example ', 'é', '\n', ' '];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 120 }).map((all) => all.join(''));

  test.each(descriptions.map(({ id }) => id))('counts a text for %s as the service does', (platform) => {
    const { limits } = descriptions.find(({ id }) => id === platform)!;
    const published = platformLimits.platforms[platform] as PlatformLimits;
    fc.assert(
      fc.property(text, (written) => {
        const { split, content, length, networkLength } = finish(
          measureText(written, { ...limits.text, cuts: limits.threads?.cuts ?? null }),
        );
        const answer = countedBy({
          platforms: [],
          length,
          ...(networkLength !== null && { networkLength }),
          maxLength: limits.text.max,
          counting: published.counting,
          parts: split.kind === 'thread' ? [...split.parts] : [content],
        });
        const here = countHere(written, null, published);
        if (split.kind === 'thread') expect(here.parts).toBe(null);
        else expect(here).toEqual(answer);
      }),
    );
  });
});
