/** A start that cannot go on, for a reason that the operator can fix. It is shown without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}
