// Builds the dashboard. Crier also builds it on startup if its folder is writable.
import { builtDashboard } from '../src/startup/dashboard-build.ts';

await builtDashboard(() => console.log('building the dashboard …'));
console.log('The dashboard is built.');
