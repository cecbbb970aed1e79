import type { Config } from '@mailstead/adapters/config';
import { masterTokenFile } from '@mailstead/adapters/embedded-secrets';

/** What a newcomer is shown: where the service is and three things to try. The token itself is never printed. */
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
