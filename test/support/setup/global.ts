import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../../src/foundation/db/migrate.ts';
import { temporaryServer } from '../database/temporary-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's URL for the test run's own PostgreSQL server. */
    databaseAdminUrl: string;
    /** The URL of the template database; each test database is a copy of it. */
    databaseTemplateUrl: string;
  }
}

/**
 * One server for the whole run, migrated once: our own, or that of TEST_DATABASE_URL, which must give superuser access.
 */
export async function setup(project: TestProject) {
  const { TEST_DATABASE_URL } = process.env;
  const server = TEST_DATABASE_URL ? await databaseOn(TEST_DATABASE_URL) : await temporaryServer();
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

async function databaseOn(adminUrl: string) {
  const name = `crier_template_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = name;
  return {
    adminUrl,
    url: url.href,
    async close() {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}
