import { describe, expect, test } from 'vitest';
import { cutsIn } from './cuts.ts';

describe('thread cuts', () => {
  test('are found in the text despite the numbers that the service adds', () => {
    const text = 'One sentence. Another one.\n---\nThe last.';
    expect(cutsIn(text, ['One sentence. (1/3)', 'Another one. (2/3)', 'The last. (3/3)'])).toEqual([
      { at: 14, label: '2/3' },
      { at: 31, label: '3/3' },
    ]);
  });

  test('stop where the text has changed since', () => {
    expect(cutsIn('One. Two changed. Three.', ['One.', 'Two.', 'Three.'])).toEqual([]);
    expect(cutsIn('One. Two. Three changed.', ['One.', 'Two.', 'Three.'])).toEqual([{ at: 5, label: '2/3' }]);
  });
});
