import { z } from 'zod';
import { labelColours, labelLimits } from '../../../foundation/errors/labels.ts';
import { shownAs } from '../../../foundation/http/openapi/schemas.ts';
import { success } from '../../../foundation/http/shapes.ts';

/** The wire shapes of labels. */

export const LabelText = z
  .string({ error: 'labels_invalid' })
  // Reject an overlong label before normalizing it.
  .max(4 * labelLimits.length, { error: 'labels_invalid', abort: true })
  .transform((text) => text.normalize('NFC').trim())
  .pipe(
    z
      .string()
      .min(1, 'labels_invalid')
      .max(labelLimits.length, 'labels_invalid')
      .refine((text) => !/\p{Cc}/u.test(text), 'labels_invalid'),
  );

/** For create-post and update-post. A label listed twice counts once. */
export const LabelsInput = shownAs(
  z
    .array(LabelText, { error: 'labels_invalid' })
    .max(labelLimits.perPost, 'labels_too_many')
    .transform((labels) => [...new Set(labels)]),
  z.array(z.string().min(1).max(labelLimits.length)).max(labelLimits.perPost),
).optional();

export const Labels = z.array(z.string()).optional().describe('Absent if the post has no labels.');

export const LabelFilter = z
  .string({ error: 'list_label_invalid' })
  .max(labelLimits.length, 'list_label_invalid')
  .optional()
  .describe('Only post groups with this label.');

const Label = z
  .object({ name: z.string(), colour: z.enum(labelColours) })
  .meta({ id: 'Label', description: 'A label that at least one post has.' });

export const ListLabels = z.object({
  brands: z
    .enum(['all'], { error: 'list_brands_invalid' })
    .optional()
    .describe('`all`: your labels and those of all users you manage, with `userId`.'),
});
export const LabelList = z.object({
  success,
  labels: z
    .array(Label.extend({ userId: z.string().optional().describe('With `brands`: whose label it is.') }))
    .describe('In alphabetical order, with `brands` for each user.'),
});

export const LabelPath = z.object({
  label: z.string().max(labelLimits.length, 'label_not_found').describe('The label, exactly as in its posts.'),
});
export const ChangeLabel = z
  .object({ colour: z.enum(labelColours, { error: 'label_colour_invalid' }) })
  .meta({ id: 'ChangeLabel' });
export const LabelChanged = z.object({ success, label: Label });
