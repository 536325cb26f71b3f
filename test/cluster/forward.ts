// Forwards a port to another machine: node test/cluster/forward.ts 127.0.0.1:4000 10.77.0.1:4000
import { connect, createServer } from 'node:net';

const [near = '', far = ''] = process.argv.slice(2);
const [nearHost, nearPort] = near.split(':');
const [farHost, farPort] = far.split(':');

createServer((client) => {
  const server = connect(Number(farPort), farHost);
  for (const end of [client, server]) end.on('error', () => {});
  client.pipe(server).pipe(client);
  client.on('close', () => server.destroy());
  server.on('close', () => client.destroy());
}).listen(Number(nearPort), nearHost);
