import { z } from 'zod';
import { clamp } from '../lib/clamp.ts';
import { shownAs } from './openapi/schemas.ts';

/** Shared by all paginated lists. */

/** As in list-posts, an invalid page or limit is never an error: the default or the nearest allowed value is used. */
const lenient = (standard: number, max: number) =>
  z
    .string()
    .max(400)
    .optional()
    .catch(undefined)
    .transform((text) => clamp(text, standard, 1, max));

const maxPage = 1_000_000;
export const pageNumber = shownAs(
  lenient(1, maxPage).describe('The page to read, from 1.'),
  z.int().min(1).max(maxPage).default(1),
);

export const pageSize = (about: string) =>
  shownAs(lenient(50, 100).describe(about), z.int().min(1).max(100).default(50));

export const Pagination = z
  .object({
    page: z.number(),
    limit: z.number(),
    totalItems: z.number(),
    totalPages: z.number(),
    hasNextPage: z.boolean(),
    hasPrevPage: z.boolean(),
  })
  .meta({ id: 'Pagination', description: 'The position of this page in the list.' });

/** As requested. */
export interface Page {
  page: number;
  limit: number;
}

export const offsetOf = ({ page, limit }: Page) => (page - 1) * limit;

export function paginationOf({ page, limit }: Page, totalItems: number): z.infer<typeof Pagination> {
  const totalPages = Math.ceil(totalItems / limit);
  return { page, limit, totalItems, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
}
