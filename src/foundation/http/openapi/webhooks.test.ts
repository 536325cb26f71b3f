import { expect, test } from 'vitest';
import { z } from 'zod';
import { schemaConverter } from './schemas.ts';
import { webhookSection } from './webhooks.ts';

test('an event becomes a webhook with its body as a component', () => {
  const { convert, components } = schemaConverter();
  const envelope = z.object({ event: z.literal('cake.baked'), data: z.object({ cakeId: z.string() }) });
  const example = { event: 'cake.baked', data: { cakeId: '7' } };
  const section = webhookSection([{ name: 'cake.baked', summary: 'a cake is baked', envelope, example }], convert);
  expect(section['cake.baked']?.post).toMatchObject({
    operationId: 'onCakeBaked',
    description: 'Sent when a cake is baked.',
    requestBody: {
      content: { 'application/json': { schema: { $ref: '#/components/schemas/CakeBakedEvent' }, example } },
    },
  });
  expect(components.CakeBakedEvent).toMatchObject({ required: ['event', 'data'] });
});
