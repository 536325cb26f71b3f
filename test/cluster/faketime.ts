import { globSync } from 'node:fs';

/** The library that gives a program a different time (package libfaketime), or null if it is not installed. */
export const findFaketime = (): string | null => globSync('/usr/lib/*/faketime/libfaketime.so.1')[0] ?? null;
