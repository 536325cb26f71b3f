import { globSync } from 'node:fs';

/** The library that shows a program another time (package libfaketime), or null where it is not installed. */
export const findFaketime = (): string | null => globSync('/usr/lib/*/faketime/libfaketime.so.1')[0] ?? null;
