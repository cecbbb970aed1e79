import type { Config } from '@mailstead/adapters/config';
import { masterTokenFile } from '@mailstead/adapters/embedded-secrets';

/** Returns the help that the embedded service prints at start: its URL and three example calls, without the token. */
export function embeddedUsage({ host, dataDir }: Readonly<Config>, port: number): string {
  const url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
  return `
Mailstead listens on ${url}  (reference: ${url}/docs)
The master token is MASTER_TOKEN, or was generated into a file that only you can read. Try:

  TOKEN=\${MASTER_TOKEN:-$(cat ${masterTokenFile(dataDir)})}
  curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' ${url}/domains/ -d '{"name":"example.org"}'
  curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' ${url}/users/ -d '{"email":"me@example.org","password":"correct horse"}'
  curl -H "Authorization: Bearer $TOKEN" ${url}/domains/example.org

`;
}
