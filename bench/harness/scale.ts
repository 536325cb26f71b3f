export type Form = 'full' | 'quick' | 'smoke';

/** How much to measure. The smoke form only checks that a benchmark works and counts correctly. */
export interface Scale {
  readonly form: Form;
  readonly rounds: number;
  /** The value for this form. Quick falls back to the value of full. */
  of<T>(values: { full: T; quick?: T; smoke: T }): T;
}

const rounds: Record<Form, number> = { full: 5, quick: 3, smoke: 1 };

export const scaleOf = (form: Form): Scale => ({
  form,
  rounds: rounds[form],
  of: ({ full, quick = full, smoke }) => ({ full, quick, smoke })[form],
});
