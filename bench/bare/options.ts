import type { Statement } from '../record-statements.ts';
import type { Tenant } from '../tenants.ts';

export interface BareOptions {
  databaseUrl: string;
  tenants: readonly Tenant[];
  /** The statements that the service sends for a post with this id, and for a list. */
  reads: { sampleId: string; getPost: Statement[]; listPosts: Statement[] };
  /** The service's response. */
  platformLimits: unknown;
}
