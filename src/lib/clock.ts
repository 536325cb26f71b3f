/** Where time comes from. Tests move it by hand; nothing else in the service reads the system's clock. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
