import { against, compared } from '../load.js';
import type { Report } from '../report.js';
import {
  CLIENT,
  call,
  clientHeaders as client,
  type DatabaseKind,
  type Served,
  startFloor,
  startService,
} from '../service.js';

export async function reads(kind: DatabaseKind, report: Report): Promise<void> {
  const service = await withClient(kind);
  for (let index = 0; index < 20; index += 1)
    await call(service, 'POST', '/domains/', { name: `d${index}.example` }, CLIENT);
  for (const path of ['/domains/d7.example', '/domains/']) {
    const floor = await startFloor(await call(service, 'GET', path, undefined, CLIENT), null);
    const { ratio, ...measured } = await against(floor, service, {
      method: 'GET',
      request: () => ({ path, headers: client }),
    });
    report.note(
      `GET ${path === '/domains/' ? '/domains/ (20)' : '/domains/{name}'}, ${kind}`,
      compared(measured, ratio),
      '≥ 0.70 of bare Express',
      ratio >= 0.7,
    );
    await floor.stop();
  }
  await service.stop();
}

async function withClient(kind: DatabaseKind): Promise<Served> {
  const service = await startService(kind);
  await call(service, 'POST', '/api-keys/', { token: CLIENT, partner_ref: 'bench', mailboxes_per_domain: 0 });
  return service;
}
