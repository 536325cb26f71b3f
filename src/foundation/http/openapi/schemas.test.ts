import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { schemaConverter, shownAs } from './schemas.ts';

const Part = z.object({ text: z.string() }).meta({ id: 'Part' });

describe('zod to JSON Schema', () => {
  test('a named shape becomes a component, and a reference where it is used', () => {
    const { convert, components } = schemaConverter();
    const part = { $ref: '#/components/schemas/Part' };
    expect(convert(z.object({ parts: z.array(Part), last: Part.nullable() }), 'output')).toEqual({
      type: 'object',
      properties: { parts: { type: 'array', items: part }, last: { anyOf: [part, { type: 'null' }] } },
      required: ['parts', 'last'],
    });
    expect(convert(Part, 'input')).toEqual(part);
    expect(components).toEqual({
      Part: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    });
  });

  test('a named shape that differs as input and as output is refused', () => {
    const { convert } = schemaConverter();
    const Sort = z.object({ order: z.string().default('asc') }).meta({ id: 'Sort' });
    convert(Sort, 'input');
    expect(() => convert(Sort, 'output')).toThrow('Sort is not the same as input and as output');
  });

  test('a strict shape allows no other fields, any other response may get more', () => {
    const { convert } = schemaConverter();
    expect(convert(z.strictObject({}), 'output')).toMatchObject({ additionalProperties: false });
    expect(convert(z.object({}), 'output')).not.toHaveProperty('additionalProperties');
  });

  test('shownAs changes what is shown and not what is validated', () => {
    const { convert } = schemaConverter();
    const field = shownAs(z.unknown().describe('Of this field.'), z.enum(['a', 'b']).describe('Of the shape.'));
    expect(convert(field, 'input')).toEqual({ type: 'string', enum: ['a', 'b'], description: 'Of this field.' });
    expect(convert(z.object({ field: shownAs(z.unknown(), Part).optional() }), 'input')).toEqual({
      type: 'object',
      properties: { field: { $ref: '#/components/schemas/Part' } },
    });
    expect(field.parse(7)).toBe(7);
  });
});
