import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { ConfigError } from '@mailstead/adapters/config';
import { openProcess, type ServiceProcess } from '@mailstead/adapters/service-process';
import { RequestLogger } from './request-logger.js';
import { createService } from './service.js';
import { embeddedUsage } from './usage.js';

/** What runs at SIGTERM may take this long; then the process ends anyway. */
const DRAIN_MS = 8_000;

/**
 * The API process: settings, database, routes, then the port. Everything that can be wrong is found before the port
 * opens, and ends the process with one clear message and exit code 1.
 */
async function main(): Promise<void> {
  const service = await openProcess('api');
  if (process.argv.includes('--migrate-only')) {
    await service.close();
    return;
  }
  const { app } = createService(service.container, service.config, new RequestLogger(service.logger));
  const server = createServer(app);
  await listen(server, service);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : service.config.port;
  service.logger.info('listening', { host: service.config.host, port });
  if (service.config.databaseUrl === null) process.stdout.write(embeddedUsage(service.config, port));
  stopOnSignal(server, service);
}

async function listen(server: Server, { config }: ServiceProcess): Promise<void> {
  // Behind a proxy that keeps connections for a minute, ours must live longer than its.
  server.keepAliveTimeout = 65_000;
  server.listen(config.port, config.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new ConfigError([`PORT, HOST: cannot listen on ${config.host}:${config.port} (${String(error)})`]);
  }
}

/** Stops accepting, finishes what runs, closes, exits 0. A second signal changes nothing. */
function stopOnSignal(server: Server, service: ServiceProcess): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    service.logger.info('stopping');
    setTimeout(() => process.exit(0), DRAIN_MS).unref();
    void drain(server, service).finally(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function drain(server: Server, service: ServiceProcess): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await closed;
  await service.close();
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
