import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/db/migrate.ts';
import { temporaryServer } from './temporary-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's address on the test run's own PostgreSQL server. */
    databaseAdminUrl: string;
    /** The address of the template database; each test database is a copy of it. */
    databaseTemplateUrl: string;
  }
}

/** One server for the whole run, migrated once. */
export async function setup(project: TestProject) {
  const server = await temporaryServer();
  try {
    await migrate(server.url);
  } catch (error) {
    await server.close();
    throw error;
  }
  project.provide('databaseAdminUrl', server.adminUrl);
  project.provide('databaseTemplateUrl', server.url);
  return () => server.close();
}
