import type { Config } from '@mailstead/adapters/config';
import { masterTokenFile } from '@mailstead/adapters/embedded-secrets';
import type { DemoLinks } from './demo/demo-links.js';
import { partnerKeysFile } from './demo/fill-demo.js';
import { BRANDED, LINKED } from './demo/invented.js';

/** Returns the URL under which this machine reaches the service. */
export function localUrl({ host }: Readonly<Config>, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/**
 * Returns the help that the embedded service prints at start: its URL and three example calls, without the token.
 *
 * @param link lets one person into the portal; null on no terminal
 * @param links those for customers of a demo, which are printed on a terminal only; null: no demo, or no terminal
 */
export function embeddedUsage(
  { dataDir }: Readonly<Config>,
  url: string,
  link: string | null,
  isDemo: boolean,
  links: DemoLinks | null = null,
): string {
  const curl = `curl -sS -w '\\n' -H "Authorization: Bearer $TOKEN"`;
  const demo = `This is a demo: everything in ${dataDir} is invented. The keys of its partners: ${partnerKeysFile(dataDir)}\n`;
  const entrances = links === null ? '' : demoEntrances(links, partnerKeysFile(dataDir));
  return `
${isDemo ? demo : ''}Mailstead listens on ${url}  (reference: ${url}/docs)
The portal: ${url}/portal/
${link === null ? '' : `Enter it as the operator, once and within five minutes:\n\n  ${link}\n\n`}${entrances}The master token is MASTER_TOKEN, or was generated into a file that only you can read. Try:

  TOKEN=\${MASTER_TOKEN:-$(cat '${masterTokenFile(dataDir)}')}
  ${curl} -H 'Content-Type: application/json' ${url}/domains/ -d '{"name":"example.org"}'
  ${curl} -H 'Content-Type: application/json' ${url}/users/ -d '{"email":"me@example.org","password":"correct horse"}'
  ${curl} ${url}/domains/example.org

`;
}

/** Says how the others who use a portal enter it. */
function demoEntrances({ manage, dns }: DemoLinks, keysFile: string): string {
  const customer =
    manage === undefined
      ? ''
      : `As a customer who manages ${LINKED.manage}, once and within an hour:\n\n  ${manage}\n\n`;
  const publisher =
    dns === undefined ? '' : `As whoever publishes the DNS records of ${LINKED.dns}, within 30 days:\n\n  ${dns}\n\n`;
  return `As a partner: with its key in ${keysFile}, for instance that of ${BRANDED}.\n${customer}${publisher}`;
}
