import { z } from 'zod';
import { maxSlots } from '../../foundation/errors/slots.ts';
import { connectionId, success, timestamp } from '../../foundation/http/shapes.ts';

const NewSlot = z.object(
  {
    weekday: z.int({ error: 'slots_invalid' }).min(1, 'slots_invalid').max(7, 'slots_invalid').describe('1 is Monday.'),
    time: z
      .string({ error: 'slots_invalid' })
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'slots_invalid')
      .describe('In the time zone of the slots, such as `09:30`.'),
    platformId: z
      .string({ error: 'slots_invalid' })
      .regex(/^[a-z]+-[^\0\s]{1,300}$/, 'slots_invalid')
      .nullable()
      .default(null)
      .describe('The connection of this slot. Null: all.'),
  },
  { error: 'slots_invalid' },
);

const PostingSlot = z
  .object({ weekday: z.int(), time: z.string(), platformId: connectionId.nullable() })
  .meta({ id: 'PostingSlot', description: 'A weekly time at which posts are published.' });

const timeZone = z.string({ error: 'time_zone_invalid' }).describe('An IANA name, such as `Europe/Berlin`.');

export const SetPostingSlots = z
  .object({
    timeZone,
    slots: z.array(NewSlot, { error: 'slots_invalid' }).max(maxSlots, 'slots_too_many'),
  })
  .meta({ id: 'SetPostingSlots' });

export const GetPostingSlots = z.object({
  brands: z
    .enum(['all'], { error: 'list_brands_invalid' })
    .optional()
    .describe('`all`: also the slots of all users you manage, in `brands`.'),
});

const slots = z.array(PostingSlot).describe('Ordered by weekday and time.');

export const PostingSlots = z
  .object({
    success,
    timeZone,
    slots,
    brands: z
      .array(z.object({ userId: z.string(), timeZone, slots }))
      .optional()
      .describe('With `brands`: the slots of each managed user who has some.'),
  })
  .meta({ id: 'PostingSlots', description: 'The weekly posting times of a user.' });

export const NextSlotQuery = z.object({
  platforms: z
    .string({ error: 'slot_platforms_invalid' })
    .max(20_000, 'slot_platforms_invalid')
    .optional()
    .describe('The connections to post to, separated by commas. Omitted: all.'),
  after: z
    .string({ error: 'slot_after_invalid' })
    .max(100, 'slot_after_invalid')
    .optional()
    .describe('Only slots after this time, written with `Z` or an offset. Default: now.'),
});

export const NextSlot = z
  .object({
    success,
    publishAt: timestamp,
    localTime: z.string().describe('The same in the time zone of the slots, with its offset.'),
    timeZone,
  })
  .meta({ id: 'NextSlot', description: 'The next free posting slot.' });

export type SetPostingSlots = z.output<typeof SetPostingSlots>;
