/** Anything that LinkedIn accepted exists, even without an id: an error would make clients send it again. */
export const idWarning = (id: string | null) =>
  id === null
    ? {
        warnings: [
          {
            code: 'LINKEDIN_ID_MISSING' as const,
            message: 'LinkedIn published this but did not return its id. Do not send it again: find it on LinkedIn.',
          },
        ],
      }
    : {};
