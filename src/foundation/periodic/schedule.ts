/** Returns the first time after `after` at which a task is due. All times are UTC. */
export type Schedule = (after: Date) => Date;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export const everyMinute: Schedule = every(minuteMs, 0);

/** Every hour, at this minute. */
export const hourly = (minute: number): Schedule => every(hourMs, minute * minuteMs);

/** Every day, at a time such as `03:17`. */
export function daily(time: `${number}:${number}`): Schedule {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return every(dayMs, hours * hourMs + minutes * minuteMs);
}

function every(periodMs: number, offsetMs: number): Schedule {
  return (after) => {
    const periods = Math.floor((after.getTime() - offsetMs) / periodMs) + 1;
    return new Date(periods * periodMs + offsetMs);
  };
}
