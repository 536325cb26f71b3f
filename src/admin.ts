import { enableCompileCache } from 'node:module';

enableCompileCache();
// Files that we create are only for our own user.
process.umask(0o077);
const { runAdmin } = await import('./surfaces/admin/program.ts');
await runAdmin(process.argv);
