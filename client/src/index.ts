export type { Api } from './api.gen.ts';
export { Crier, type CrierOptions, type UploadOptions, type WaitOptions } from './crier.ts';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CrierError,
  IdempotencyError,
  NotFoundError,
  PermissionError,
  PlanLimitError,
  RateLimitError,
  ServiceError,
  TimeoutError,
  ValidationError,
  WebhookVerificationError,
} from './errors.ts';
export type { EventSequence } from './events.ts';
export type { CallOptions } from './operations.ts';
export type { Pages } from './pages.ts';
export { fetchWithinOrigin } from './same-origin.ts';
export type * from './types.gen.ts';
export type { UploadSource } from './upload.ts';
export { verifyWebhook } from './verify-webhook.ts';
