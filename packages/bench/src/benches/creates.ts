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
const CONNECTIONS = 16;
/** On two cores the API hashes one password at a time, in about 60 ms: more connections would only wait longer. */
const HASHING_CONNECTIONS = 4;

interface Creation {
  path: string;
  what?: string;
  connections?: number;
  body: () => object;
}

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
  const creations: Creation[] = [
    {
      path: '/domains/',
      body: () => ({ name: `d-${randomUUID()}.example`, partner_ref: `partner-${partner()}` }),
    },
    { path: '/users/', what: ' with a hash', body: () => ({ email: email(), password_hash: PASSWORD_HASH }) },
    {
      path: '/users/',
      what: ` with a password, bcrypt cost ${new Config().bcryptCost}`,
      connections: HASHING_CONNECTIONS,
      body: () => ({ email: email(), password: 'correct horse' }),
    },
    {
      path: '/aliases/',
      body: () => {
        const domain = `seed-${partner()}.example`;
        return { address: `${randomUUID()}@${domain}`, destination: `owner@${domain}` };
      },
    },
  ];
  for (const { path, what = '', connections = CONNECTIONS, body } of creations) {
    const floor = await startFloor(null, await call(service, 'POST', path, body()));
    const load: Load = { method: 'POST', request: () => ({ path, headers: master, body: JSON.stringify(body()) }) };
    const { ratio, ...measured } = await against(floor, service, load, connections);
    report.note(`POST ${path}${what}, ${kind}`, compared(measured, ratio), '', true);
    await floor.stop();
  }
  await service.stop();
}
