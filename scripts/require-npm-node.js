// `npm ci` runs this file (preinstall). npm silently skips optional packages that require a newer Node than the one
// that runs npm. Without them, images cannot be processed and the dashboard cannot be built. Crier itself runs on a
// different Node.
const oldest = [20, 19];
const running = / node\/v(\d+)\.(\d+)/.exec(process.env.npm_config_user_agent ?? '');
const [major, minor] = running ? running.slice(1).map(Number) : oldest;

if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  console.error(`\nCrier is installed with Node ${oldest.join('.')} or newer, but this is Node ${major}.${minor}.`);
  console.error('Debian has it from version 13 on; https://nodejs.org has it for every system.\n');
  process.exit(1);
}
