/** A startup failure that the operator can fix. It is shown without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}
