import { once } from 'node:events';
import type { Server } from 'node:http';
import { openProcess, type ServiceProcess } from '@mailstead/adapters/service-process';
import { failToStart, stopOnSignal } from '@mailstead/adapters/stop-on-signal';
import { deadline } from '@mailstead/core/deadlines';
import { listening } from '@mailstead/core/settings/listening';
import { CreateDemoLinks } from './demo/demo-links.js';
import { FillDemo, OUTSIDE } from './demo/fill-demo.js';
import type { FrameServer } from './frames/frame-server.js';
import { RequestLogger } from './http/request-logger.js';
import { createService } from './service.js';
import { TerminalLink } from './terminal-link.js';
import { embeddedUsage, localUrl } from './usage.js';

/**
 * The API process. It reads the settings, opens the database, binds the routes and then opens the port. An error in one
 * of these steps ends the process with one message and exit code 1.
 */
async function main(): Promise<void> {
  const isDemo = process.argv.includes('--demo');
  const service = await openProcess('api', { outside: isDemo ? OUTSIDE : null });
  if (process.argv.includes('--migrate-only')) {
    await service.compared();
    await service.close();
    return;
  }
  const { container, config, checks, logger } = service;
  if (isDemo) await container.get(FillDemo).execute();
  const { server, frames } = createService(container, checks, new RequestLogger(logger));
  await listen(server, service);
  await listenForFrames(frames, service);
  service.startJobs();
  stopOnSignal(service, () => stop(server, frames, service), config.drainSeconds);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : service.config.port;
  service.logger.info('listening', { host: service.config.host, port, policy_api: frames.address });
  if (config.databaseUrl === null) {
    const url = localUrl(config, port);
    const portalUrl = `${url}/portal/`;
    const link = container.get(TerminalLink).create(config, portalUrl, process.stdout.isTTY);
    const links = isDemo && link !== null ? await container.get(CreateDemoLinks).execute(config, portalUrl) : null;
    process.stdout.write(embeddedUsage(config, url, link, isDemo, links));
  }
}

async function listen(server: Server, { config }: ServiceProcess): Promise<void> {
  await listening('PORT, HOST', () => once(server.listen(config.port, config.host), 'listening'));
}

async function listenForFrames(frames: FrameServer, { config }: ServiceProcess): Promise<void> {
  const { policyApiListen: address } = config;
  if (address !== null) await listening('POLICY_API_LISTEN', () => frames.listen(address));
}

/** Stops accepting connections, finishes the running requests, then closes the connections to database and Redis. */
async function stop(server: Server, frames: FrameServer, service: ServiceProcess): Promise<void> {
  const closed = Promise.all([once(server, 'close'), frames.close(deadline('runningRequests'))]);
  server.close();
  server.closeIdleConnections();
  // `closed` waits for every connection, so connections that become idle after their last response are closed here.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  // A client that does not read its response must not keep the process from stopping its jobs.
  const end = setTimeout(() => server.closeAllConnections(), deadline('runningRequests'));
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
  await service.close();
}

main().catch(failToStart);
