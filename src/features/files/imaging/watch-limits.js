// A thread that kills its process when a job exceeds a limit, because a parser may keep the main thread busy. Plain
// JavaScript: the compiler of TypeScript would take 10 MB and 20 ms of each process.
import { parentPort } from 'node:worker_threads';

const everyMs = 25;
let watch;

parentPort.on('message', (limits) => {
  clearInterval(watch);
  if (limits) watch = setInterval(look, everyMs, limits, process.cpuUsage());
});

function look({ maxMemoryBytes, maxCpuMs }, before) {
  const { user, system } = process.cpuUsage(before);
  const isOver = process.memoryUsage.rss() > maxMemoryBytes || user + system > 1_000 * maxCpuMs;
  if (isOver) process.kill(process.pid, 'SIGKILL');
}
