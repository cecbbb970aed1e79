import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { ConfigError } from '@mailstead/adapters/config';
import { openProcess, type ServiceProcess } from '@mailstead/adapters/service-process';
import { failToStart, stopOnSignal } from '@mailstead/adapters/stop-on-signal';
import { RequestLogger } from './http/request-logger.js';
import { createService } from './service.js';
import { embeddedUsage } from './usage.js';

/** Longer than 60 s, the usual keep-alive of a proxy, so that the proxy closes idle connections first. */
const KEEP_ALIVE_MS = 65_000;

/**
 * The API process. It reads the settings, opens the database, binds the routes and then opens the port. An error in one
 * of these steps ends the process with one message and exit code 1.
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

/** Stops accepting connections, finishes the running requests, then closes the connections to database and Redis. */
async function drain(server: Server, service: ServiceProcess): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  // `closed` waits for every connection, so connections that become idle after their last response are closed here.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearInterval(sweep);
  await service.close();
}

main().catch(failToStart);
