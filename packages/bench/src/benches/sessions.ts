import { median, round } from '../load.js';
import type { Report } from '../report.js';
import { CLIENT, call, clientHeaders, type DatabaseKind, startService } from '../service.js';

const ROUNDS = 5;

/** The same reads with an API key and with a session of it, in turn on one process. */
export async function sessions(kind: DatabaseKind, report: Report): Promise<void> {
  const service = await startService(kind);
  await call(service, 'POST', '/api-keys/', { token: CLIENT, partner_ref: 'bench', mailboxes_per_domain: 0 });
  await call(service, 'POST', '/domains/', { name: 'd7.example' }, CLIENT);
  const opened = await fetch(`${service.url}/sessions`, {
    method: 'POST',
    headers: { authorization: clientHeaders.authorization },
  });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const perSecond = async (headers: Record<string, string>): Promise<number> => {
    const load = { method: 'GET' as const, request: () => ({ path: '/domains/d7.example', headers }) };
    return (await round(service, load)).requestsPerSecond;
  };
  const [withKey, withSession]: [number[], number[]] = [[], []];
  for (let index = 0; index < ROUNDS; index += 1) {
    withKey.push(await perSecond(clientHeaders));
    withSession.push(await perSecond({ cookie }));
  }
  const ratio = median(withSession) / median(withKey);
  report.note(
    `GET /domains/{name} with a session, ${kind}`,
    `${Math.round(median(withSession))}/s, ${ratio.toFixed(2)} of the same with a key`,
    '≥ 0.90 of the same with a key',
    ratio >= 0.9,
  );
  await service.stop();
}
