import './startup/require-node.js';
import { enableCompileCache } from 'node:module';

// Before anything else is loaded: later starts neither strip types nor compile again, and stay some 30 MB smaller.
enableCompileCache();
// Files that we create are for our own user alone.
process.umask(0o077);
const { main } = await import('./start.ts');
await main();
