import { afterAll, afterEach, beforeAll } from 'vitest';
import { publishDue } from '../publishing/publish-due.ts';
import type { TestSandbox } from '../servers/sandbox.ts';
import { testClock } from '../service/app.ts';
import { type TestService, type TestUser, testService } from '../service/service.ts';

/** The service with one user, for a test file about publishing. Faults of the sandbox end with their test. */
export function publishingStage() {
  const clock = testClock();
  let service: TestService;
  let ada: TestUser;
  beforeAll(async () => {
    service = await testService({ clock });
    ada = await service.aUser();
  });
  afterEach(() => service.sandbox.clearFaults());
  afterAll(() => service.close());

  const control: TestSandbox['control'] = (...call) => service.sandbox.control(...call);
  return {
    clock,
    service: () => service,
    ada: () => ada,
    /** Publishes due posts, once. */
    run: (worker?: string) => publishDue(service.app, worker),
    query: (text: string, values: unknown[] = []) => service.database.pool.query(text, values),
    control,
  };
}
