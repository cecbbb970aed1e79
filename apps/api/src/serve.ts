import { once } from 'node:events';
import type { Server } from 'node:http';
import type { ServiceProcess } from '@mailstead/adapters/service-process';
import { deadline } from '@mailstead/core/deadlines';
import { listening } from '@mailstead/core/settings/listening';
import type { FrameServer } from './frames/frame-server.js';
import { RequestLogger } from './http/request-logger.js';
import { createService } from './service.js';

/** An API that answers. */
export interface Serving {
  port: number;
  /** The port or the socket for frames; null without one. */
  frames: number | string | null;
  /** Stops accepting connections, finishes the running requests, then closes the connections to database and Redis. */
  stop: () => Promise<void>;
}

/** Opens the ports of an API and starts its jobs. @throws SettingsError when a port cannot be opened */
export async function serve(service: ServiceProcess): Promise<Serving> {
  const { container, config, checks, logger } = service;
  const { server, frames } = createService(container, checks, new RequestLogger(logger));
  await listen(server, service);
  await listenForFrames(frames, service);
  service.startJobs();
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  return { port, frames: frames.address, stop: () => stop(server, frames, service) };
}

async function listen(server: Server, { config }: ServiceProcess): Promise<void> {
  await listening('PORT, HOST', () => once(server.listen(config.port, config.host), 'listening'));
}

async function listenForFrames(frames: FrameServer, { config }: ServiceProcess): Promise<void> {
  const { policyApiListen: address } = config;
  if (address !== null) await listening('POLICY_API_LISTEN', () => frames.listen(address));
}

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
