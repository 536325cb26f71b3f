export * from './description.ts';
export * from './failure.ts';
export * from './limits.ts';
export * from './platform.ts';
export { secret } from './reach.ts';
export * from './setting-fields.ts';
export * from './stats.ts';
