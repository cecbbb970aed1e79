import { randomUUID } from 'node:crypto';
import { Config } from '@mailstead/adapters/config';
import { against, compared, type Load } from '../load.js';
import type { Report } from '../report.js';
import {
  call,
  type DatabaseKind,
  masterHeaders as master,
  PASSWORD_HASH,
  startFloor,
  startService,
} from '../service.js';

const PARTNERS = 50;
/** The API hashes at most this number of passwords of one caller at the same time, and refuses more. */
const CONNECTIONS = 16;

/** Creation of domains, mailboxes and aliases for 50 partners. Passwords are hashed at the default cost. */
export async function creates(kind: DatabaseKind, report: Report): Promise<void> {
  const service = await startService(kind);
  for (let index = 0; index < PARTNERS; index += 1) {
    const name = `seed-${index}.example`;
    await call(service, 'POST', '/domains/', { name, partner_ref: `partner-${index}` });
    await call(service, 'POST', '/users/', { email: `owner@${name}`, password_hash: PASSWORD_HASH });
  }
  const partner = () => Math.floor(Math.random() * PARTNERS);
  const email = () => `${randomUUID()}@seed-${partner()}.example`;
  const creations: [what: string, path: string, body: () => object][] = [
    ['', '/domains/', () => ({ name: `d-${randomUUID()}.example`, partner_ref: `partner-${partner()}` })],
    [' with a hash', '/users/', () => ({ email: email(), password_hash: PASSWORD_HASH })],
    [
      ` with a password, bcrypt cost ${new Config().bcryptCost}`,
      '/users/',
      () => ({ email: email(), password: 'correct horse' }),
    ],
    [
      '',
      '/aliases/',
      () => {
        const domain = `seed-${partner()}.example`;
        return { address: `${randomUUID()}@${domain}`, destination: `owner@${domain}` };
      },
    ],
  ];
  for (const [what, path, body] of creations) {
    const floor = await startFloor(null, await call(service, 'POST', path, body()));
    const load: Load = { method: 'POST', request: () => ({ path, headers: master, body: JSON.stringify(body()) }) };
    const { ratio, ...measured } = await against(floor, service, load, CONNECTIONS);
    report.note(`POST ${path}${what}, ${kind}`, compared(measured, ratio), 'no target: compare two releases', true);
    await floor.stop();
  }
  await service.stop();
}
