import { temporaryFolder } from '../database/temporary-server.ts';
import { serve } from '../servers/local.ts';
import { testService } from '../service/service.ts';
import { type McpStage, mcpClients } from '../stages/mcp.ts';
import { openBalancer } from './balancer.ts';
import { type DataFolder, dataFolder, startCrier } from './crier.ts';

export interface McpProcesses extends McpStage {
  /** Stops one process and starts it again. The balancer sends it nothing meanwhile. */
  restart(index: number): Promise<void>;
}

/**
 * Two processes of the service, as `npm start` starts them, behind a balancer. A third instance, in this process,
 * creates users and connections, and serves no requests.
 */
export async function mcpProcesses(options: { environment: Record<string, string> }): Promise<McpProcesses> {
  const balancer = await openBalancer();
  const service = await testService({ publicUrl: balancer.url });
  const places = await Promise.all([aPlace(), aPlace()]);
  const media = await temporaryFolder();
  const environment = {
    DATABASE_URL: service.database.url,
    SECRET_KEY: '5e'.repeat(32),
    SANDBOX_PORT: new URL(service.sandbox.url).port,
    PUBLIC_URL: balancer.url,
    STORAGE_URL: `file:${media.path}`,
    RATE_LIMITS: 'off',
    ...options.environment,
  };
  const start = async ({ folder, port }: Place) => {
    const crier = await startCrier({ folder, environment: { ...environment, PORT: `${port}` } });
    balancer.ports.add(port);
    return crier;
  };
  const processes = await Promise.all(places.map(start));
  const clients = mcpClients(balancer.url);

  return {
    ...service,
    ...clients,
    url: balancer.url,
    served: balancer.served,
    // The processes publish by themselves.
    publish: async () => {},
    async restart(index) {
      const place = places[index]!;
      balancer.ports.delete(place.port);
      await processes[index]!.stop();
      processes[index] = await start(place);
    },
    async close() {
      await clients.close();
      await balancer.close();
      await Promise.all(processes.map((crier) => crier.stop()));
      await service.close();
      await Promise.all([media, ...places.map(({ folder }) => folder)].map((folder) => folder.remove()));
    },
  };
}

interface Place {
  folder: DataFolder;
  port: number;
}

/** Picks a port that was free a moment ago: a ready process reports only the balancer's address. */
async function aPlace(): Promise<Place> {
  await using server = await serve(() => {});
  return { folder: await dataFolder(), port: Number(new URL(server.url).port) };
}
