import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runAdmin } = await import('./program.ts');
await runAdmin(process.argv);
