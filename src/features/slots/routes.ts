import type { App } from '../../app.ts';
import type { Server } from '../../foundation/http/server.ts';
import { listBrandsInTurn } from '../users/brands.ts';
import * as examples from './examples.ts';
import { getNextSlot } from './next-slot.ts';
import { getPostingSlots, getSlotsOfBrands, setPostingSlots } from './posting-slots.ts';
import * as shape from './schema.ts';

const tags = ['Posting slots'];

export function slotRoutes(server: Server, app: App) {
  server.get(
    '/posting-slots',
    {
      schema: {
        operationId: 'getPostingSlots',
        summary: 'Read posting slots',
        description: 'Lists the weekly times at which posts with `scheduledTime: "next-slot"` are published.',
        tags,
        example: examples.getPostingSlots,
        querystring: shape.GetPostingSlots,
        response: { 200: shape.PostingSlots },
      },
      config: { failure: 'slots_unreadable', problems: ['list_brands_invalid'] },
    },
    ({ who, query }, reply) =>
      query.brands ? listBrandsInTurn(who.ownerId, reply, () => getSlotsOfBrands(app, who)) : getPostingSlots(app, who),
  );

  server.put(
    '/posting-slots',
    {
      schema: {
        operationId: 'setPostingSlots',
        summary: 'Set posting slots',
        description:
          'Replaces all slots. Scheduled posts keep their times. If a clock change skips a time, the slot moves to the first moment after it. A time that occurs twice counts once.',
        tags,
        example: examples.setPostingSlots,
        body: shape.SetPostingSlots,
        response: { 200: shape.PostingSlots },
      },
      config: {
        failure: 'slots_unwritable',
        problems: ['time_zone_invalid', 'slots_invalid', 'slots_too_many', 'slot_channel_unknown'],
      },
    },
    ({ who, body }) => setPostingSlots(app, who, body),
  );

  server.get(
    '/next-slot',
    {
      schema: {
        operationId: 'getNextSlot',
        summary: 'Find the next free posting slot',
        description:
          'Returns the next slot of the given connections at which none of them has a scheduled post. Nothing is ' +
          'reserved: to use it, send `scheduledTime: "next-slot"`.',
        tags,
        example: examples.getNextSlot,
        querystring: shape.NextSlotQuery,
        response: { 200: shape.NextSlot },
      },
      config: {
        failure: 'slots_unreadable',
        problems: ['posting_slots_missing', 'posting_slots_full', 'slot_after_invalid', 'slot_platforms_invalid'],
      },
    },
    ({ who, query }) => getNextSlot(app, who, query),
  );
}
