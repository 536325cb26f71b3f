import { enableCompileCache } from 'node:module';

enableCompileCache();
// Files that we create are for our own user alone.
process.umask(0o077);
const { runAdmin } = await import('./surfaces/admin/program.ts');
await runAdmin(process.argv);
