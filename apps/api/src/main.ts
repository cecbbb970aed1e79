import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { ConfigError } from '@mailstead/adapters/config';
import { openProcess, type ServiceProcess } from '@mailstead/adapters/service-process';
import { failToStart, stopOnSignal } from '@mailstead/adapters/stop-on-signal';
import { RequestLogger } from './http/request-logger.js';
import { createService } from './service.js';
import { embeddedUsage } from './usage.js';

/** Longer than the minute for which a proxy keeps connections, so that the proxy closes them first. */
const KEEP_ALIVE_MS = 65_000;

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
  const { app } = createService(service.container, service.config, service.checks, new RequestLogger(service.logger));
  const server = createServer(app);
  await listen(server, service);
  service.startJobs();
  stopOnSignal(service.logger, () => drain(server, service));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : service.config.port;
  service.logger.info('listening', { host: service.config.host, port });
  if (service.config.databaseUrl === null) process.stdout.write(embeddedUsage(service.config, port));
}

async function listen(server: Server, { config }: ServiceProcess): Promise<void> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(config.port, config.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new ConfigError([`PORT, HOST: cannot listen on ${config.host}:${config.port} (${String(error)})`]);
  }
}

/** Stops accepting requests, answers those that run, then closes the process's connections. */
async function drain(server: Server, service: ServiceProcess): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  // A connection that becomes idle after its last answer must not hold the process.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearInterval(sweep);
  await service.close();
}

main().catch(failToStart);
