import type { output, ZodObject } from 'zod';
import type { Platform, PublishContext, RemotePost } from '../../../src/platforms/kit/index.ts';
import type { SandboxFault, TestSandbox } from '../servers/sandbox.ts';
import { failureOf, toTheEnd } from '../stages/platform.ts';

/** Publishes although an earlier run's request is still in flight. Returns once the platform has processed both. */
export async function publishTwice<S extends ZodObject, C extends ZodObject>(
  platform: Platform<S, C>,
  sandbox: TestSandbox,
  operation: NonNullable<SandboxFault['operation']>,
  run: (options?: { timeoutMs: number }) => PublishContext<output<C>>,
  publish: (ctx: PublishContext<output<C>>) => Promise<RemotePost>,
): Promise<RemotePost> {
  await sandbox.fault({ operation, kind: 'latency', latencyMs: 500 });
  await failureOf(publish(run({ timeoutMs: 200 })));
  const again = () => toTheEnd(() => publish(run()));
  // The slow request may be processed between this run's query and its own request, which the platform then rejects.
  const remote = await again().catch(again);
  // A later request with the same delay gets its response only after the slow one has been processed.
  await sandbox.fault({ operation: 'account', kind: 'latency', latencyMs: 500 });
  await platform.testConnection(run());
  return remote;
}
