import { openProcess } from '@mailstead/adapters/service-process';
import { failToStart, stopOnSignal } from '@mailstead/adapters/stop-on-signal';
import { CreateDemoLinks } from './demo/demo-links.js';
import { FillDemo, OUTSIDE } from './demo/fill-demo.js';
import { serve } from './serve.js';
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
  const { container, config, logger } = service;
  if (isDemo) await container.get(FillDemo).execute();
  const { port, frames, stop } = await serve(service);
  stopOnSignal(service, stop, config.drainSeconds);
  logger.info('listening', { host: config.host, port, policy_api: frames });
  if (config.databaseUrl === null) {
    const url = localUrl(config, port);
    const portalUrl = `${url}/portal/`;
    const link = container.get(TerminalLink).create(config, portalUrl, process.stdout.isTTY);
    const links = isDemo && link !== null ? await container.get(CreateDemoLinks).execute(config, portalUrl) : null;
    process.stdout.write(embeddedUsage(config, url, link, isDemo, links));
  }
}

main().catch(failToStart);
