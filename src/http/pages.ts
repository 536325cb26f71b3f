import { z } from 'zod';

/** What lists with pages share. */

export const pageNumber = z.coerce
  .number()
  .int()
  .min(1)
  .max(1_000_000)
  .default(1)
  .describe('The page to read, from 1.');

export const pageSize = (about: string) => z.coerce.number().int().min(1).max(100).default(50).describe(about);

export const Pagination = z
  .object({
    page: z.number(),
    limit: z.number(),
    totalItems: z.number(),
    totalPages: z.number(),
    hasNextPage: z.boolean(),
    hasPrevPage: z.boolean(),
  })
  .meta({ id: 'Pagination', description: 'Where in a list this page is.' });

/** As a request asks for it. */
export interface Page {
  page: number;
  limit: number;
}

export const offsetOf = ({ page, limit }: Page) => (page - 1) * limit;

export function paginationOf({ page, limit }: Page, totalItems: number): z.infer<typeof Pagination> {
  const totalPages = Math.ceil(totalItems / limit);
  return { page, limit, totalItems, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
}
