import { describe, expect, test } from 'vitest';
import { readText } from './text.ts';

describe('Telegram texts', () => {
  test('entities may be given explicitly; formats that Telegram detects itself are ignored', () => {
    const entities = [
      { type: 'bold', offset: 0, length: 2 },
      { type: 'url', offset: 0, length: 1 },
    ];
    expect(readText({ text: 'Hi <b>', entities })).toEqual({ text: 'Hi <b>', entities: entities.slice(0, 1) });
    expect(readText({ text: 'Hi', entities: JSON.stringify(entities) }).entities).toEqual(entities.slice(0, 1));
  });

  test('blank ends and control characters are removed, and entities move accordingly', () => {
    const entities = [{ type: 'bold', offset: 5, length: 4 }];
    expect(readText({ text: '\n \r\ta\tb\r \n ', entities })).toEqual({
      text: 'a b',
      entities: [{ type: 'bold', offset: 1, length: 2 }],
    });
    expect(readText({ text: 'e\u0301\u200d\u2028x' }).text).toBe('e\u0301\u200dx');
  });

  test.each([
    [
      { type: 'bold', offset: 0, length: 3 },
      'entity beginning at UTF-16 offset 0 ends after the end of the text at byte offset 4',
    ],
    [{ type: 'bold', offset: 1, length: 1 }, 'entity begins in a middle of a UTF-16 symbol at byte offset 4'],
    [
      { type: 'bold', offset: 0, length: 1 },
      'entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol at byte offset 4',
    ],
    [{ type: 'sparkling', offset: 0, length: 2 }, "can't parse MessageEntity: Unsupported type specified"],
    [{ type: 'bold', length: 2 }, 'can\'t parse MessageEntity: Can\'t find field "offset"'],
  ])('an entity %j is refused', (entity, reason) => {
    expect(refusedBy(() => readText({ text: '😀', entities: [entity] }))).toBe(`Bad Request: ${reason}`);
  });
});

function refusedBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    const { response } = error as { response: { body: string } };
    return JSON.parse(response.body).description;
  }
}
