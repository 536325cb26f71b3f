// Builds the dashboard. A start does so as well, where it may write into its own folder.
import { builtDashboard } from '../src/startup/dashboard-build.ts';

await builtDashboard(() => console.log('building the dashboard …'));
console.log('The dashboard is built.');
